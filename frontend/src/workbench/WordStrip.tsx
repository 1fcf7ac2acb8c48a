import { useState } from "react";
import { dataAt, useMarks } from "../marks";
import type { Prediction } from "../service/predictions";
import { overlaps, type Span, sameSpan, within } from "../spans";
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
  const { hover, select } = useSelectionStore();
  const [open, setOpen] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const [edit, setEdit] = useState<Edit | null>(null);
  const { words } = prediction;
  const [first, end] = range ?? [0, words.length];
  const reachable = Math.max(first, Math.min(current, end - 1));

  const { picture, hands } = useMarks<number, HTMLDivElement>({
    at: (part) => {
      const index = dataAt(part, "word");
      return index === null ? null : Number(index);
    },
    point: (index) => hover(index === null ? null : [index, index + 1]),
    choose: (index) => {
      const span: Span = [index, index + 1];
      select(sameSpan(span, selected) ? null : span);
    },
    enter: (index) => index !== null && setCurrent(index),
    key: (_, { key }) => {
      // Not with a click beside the words as well: the sheet that changes a word lies there.
      if (key === "Escape") select(null);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step || open !== null) return false;
      return `[data-word="${Math.max(first, Math.min(end - 1, reachable + step))}"]`;
    },
  });

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like text */}
      <div className="strip" ref={picture} role="group" aria-label="Words" dir="auto" {...hands}>
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
