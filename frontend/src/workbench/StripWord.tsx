import { Popover } from "radix-ui";
import { memo } from "react";
import { type Span, sameSpan } from "../spans";
import { useSelectionStore } from "../state/selection";
import { EditSheet } from "./EditSheet";
import type { Edit } from "./WordStrip";

interface Props {
  word: string;
  index: number;
  spaced: boolean;
  lit: "selected" | "hovered" | undefined;
  edited: boolean;
  open: boolean;
  reachable: boolean;
  onOpen(index: number | null): void;
  onReach(index: number): void;
  onEdit(edit: Edit): void;
}

/** A word that fills a line is one of an unusual kind; its middle is of no use here. */
const LONGEST = 40;

/** One word of the strip. Drawn again only when its own light changes: pointing must not redraw a whole sentence. */
export const StripWord = memo(function StripWord(props: Props) {
  const { word, index, spaced, lit, edited, open, reachable, onOpen, onReach, onEdit } = props;
  const selection = useSelectionStore();
  const { hover, select } = selection;
  const span: Span = [index, index + 1];
  return (
    <span>
      {spaced && " "}
      <Popover.Root open={open} onOpenChange={(on) => onOpen(on ? index : null)}>
        <Popover.Trigger
          className="word-button"
          tabIndex={reachable ? 0 : -1}
          data-lit={lit}
          data-edited={edited || undefined}
          onPointerEnter={() => hover(span)}
          onPointerLeave={() => hover(null)}
          onFocus={() => {
            onReach(index);
            hover(span);
          }}
          onBlur={() => hover(null)}
          onClick={() => select(sameSpan(span, selection.now.selected) ? null : span)}
        >
          <bdi>{word.length > LONGEST ? `${word.slice(0, LONGEST)}…` : word}</bdi>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="popover edit-sheet"
            sideOffset={6}
            collisionPadding={12}
            aria-label={`Change “${word.slice(0, LONGEST)}”`}
          >
            <EditSheet
              word={word}
              onEdit={(chosen) => {
                onEdit({ ...chosen, index });
                onOpen(null);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </span>
  );
});
