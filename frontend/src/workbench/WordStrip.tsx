import { Popover } from "radix-ui";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Prediction } from "../service/predictions";
import type { Subject } from "../state/question";
import { useSelection, useSelectionStore } from "../state/selection";
import { overlaps, type Span, sameSpan } from "../views/view";
import { EditOutcome } from "./EditOutcome";
import { EditSheet } from "./EditSheet";

export type Edit = { kind: "drop" | "mask"; index: number } | { kind: "replace"; index: number; by: string };

interface Props {
  subject: Subject;
  prediction: Prediction;
  target: string;
  onExplain(text: string): void;
  onCompare(text: string): void;
}

/** A word that fills a line is one of an unusual kind; its middle is of no use here. */
const LONGEST = 40;

/** The sentence word by word. Pointing lights the word up in all pictures; a click offers to change it. */
export function WordStrip({ subject, prediction, target, onExplain, onCompare }: Props) {
  const { hovered, selected } = useSelection();
  const { hover, select } = useSelectionStore();
  const [open, setOpen] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const [edit, setEdit] = useState<Edit | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  const { words } = prediction;

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") select(null);
    if (!step || open !== null) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(words.length - 1, current + step));
    setCurrent(next);
    strip.current?.querySelectorAll<HTMLElement>(".word-button")[next]?.focus();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like text */}
      <div className="strip" ref={strip} role="group" aria-label="Words" onKeyDown={move} dir="auto">
        {words.map((word, index) => {
          const span: Span = [index, index + 1];
          const lit = overlaps(span, selected) ? "selected" : overlaps(span, hovered) ? "hovered" : undefined;
          const spaced = index > 0 && (words[index - 1]?.end ?? 0) < word.start;
          return (
            <span key={`${word.start}`}>
              {spaced && " "}
              <Popover.Root open={open === index} onOpenChange={(on) => setOpen(on ? index : null)}>
                <Popover.Trigger
                  className="word-button"
                  tabIndex={index === Math.min(current, words.length - 1) ? 0 : -1}
                  data-lit={lit}
                  data-edited={edit?.index === index || undefined}
                  onPointerEnter={() => hover(span)}
                  onPointerLeave={() => hover(null)}
                  onFocus={() => {
                    setCurrent(index);
                    hover(span);
                  }}
                  onBlur={() => hover(null)}
                  onClick={() => select(sameSpan(span, selected) ? null : span)}
                >
                  <bdi>{word.text.length > LONGEST ? `${word.text.slice(0, LONGEST)}…` : word.text}</bdi>
                </Popover.Trigger>
                <Popover.Portal>
                  <Popover.Content
                    className="popover edit-sheet"
                    sideOffset={6}
                    collisionPadding={12}
                    aria-label={`Change “${word.text.slice(0, LONGEST)}”`}
                  >
                    <EditSheet
                      word={word.text}
                      onEdit={(chosen) => {
                        setEdit({ ...chosen, index });
                        setOpen(null);
                      }}
                    />
                  </Popover.Content>
                </Popover.Portal>
              </Popover.Root>
            </span>
          );
        })}
      </div>
      {edit && edit.index < words.length && (
        <EditOutcome
          key={JSON.stringify(edit)}
          {...{ subject, prediction, target, edit, onExplain, onCompare }}
          onUndo={() => setEdit(null)}
        />
      )}
    </>
  );
}
