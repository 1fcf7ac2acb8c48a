import { Popover } from "radix-ui";
import { memo } from "react";
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
  onEdit(edit: Edit): void;
}

/** A word that fills a line is one of an unusual kind; its middle is of no use here. */
const LONGEST = 40;

/** One word of the strip. Drawn again only when its own light changes: pointing must not redraw a whole sentence. */
export const StripWord = memo(function StripWord(props: Props) {
  const { word, index, spaced, lit, edited, open, reachable, onOpen, onEdit } = props;
  return (
    <span>
      {spaced && " "}
      <Popover.Root open={open} onOpenChange={(on) => onOpen(on ? index : null)}>
        <Popover.Trigger
          className="word-button"
          tabIndex={reachable ? 0 : -1}
          data-word={index}
          data-lit={lit}
          data-edited={edited || undefined}
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
