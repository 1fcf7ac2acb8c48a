import { type KeyboardEvent, useRef, useState } from "react";
import type { Prediction } from "../service/predictions";
import { overlaps, type Span, within } from "../spans";
import type { Subject } from "../state/question";
import { useSelection, useSelectionStore } from "../state/selection";
import { EditOutcome } from "./EditOutcome";
import { StripWord } from "./StripWord";

export type Edit = { kind: "drop" | "mask"; index: number } | { kind: "replace"; index: number; by: string };

interface Props {
  subject: Subject;
  prediction: Prediction;
  target: string;
  /** Whether the model says next words: then `target` is one. */
  words?: boolean;
  /** Whether that word is for a blank in the text. */
  blank?: boolean;
  /** The words to show; all of them where it is none. */
  range?: Span | null;
  onExplain(text: string): void;
  onCompare(text: string): void;
}

/** The sentence word by word. Pointing lights the word up in all pictures; a click offers to change it. */
export function WordStrip({
  subject,
  prediction,
  target,
  words: nextWords = false,
  blank = false,
  range = null,
  onExplain,
  onCompare,
}: Props) {
  const { hovered, selected } = useSelection();
  const { select } = useSelectionStore();
  const [open, setOpen] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const [edit, setEdit] = useState<Edit | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  const { words } = prediction;
  const [first, end] = range ?? [0, words.length];
  const reachable = Math.max(first, Math.min(current, end - 1));

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") select(null);
    if (!step || open !== null) return;
    event.preventDefault();
    const next = Math.max(first, Math.min(end - 1, reachable + step));
    setCurrent(next);
    strip.current?.querySelectorAll<HTMLElement>(".word-button")[next - first]?.focus();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like text */}
      <div className="strip" ref={strip} role="group" aria-label="Words" onKeyDown={move} dir="auto">
        {words.map((word, index) => {
          const span: Span = [index, index + 1];
          if (range && !within(span, range)) return null;
          const lit = overlaps(span, selected) ? "selected" : overlaps(span, hovered) ? "hovered" : undefined;
          return (
            <StripWord
              key={`${word.start}`}
              word={word.text}
              index={index}
              spaced={index > 0 && (words[index - 1]?.end ?? 0) < word.start}
              lit={lit}
              edited={edit?.index === index}
              open={open === index}
              reachable={index === reachable}
              onOpen={setOpen}
              onReach={setCurrent}
              onEdit={setEdit}
            />
          );
        })}
      </div>
      {edit && edit.index < words.length && (
        <EditOutcome
          key={JSON.stringify(edit)}
          {...{ subject, prediction, target, nextWords, blank, edit, onExplain, onCompare }}
          onUndo={() => setEdit(null)}
        />
      )}
    </>
  );
}
