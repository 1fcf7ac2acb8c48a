import { useState } from "react";
import { Button } from "../../controls/Button";
import { answered, problemOf } from "../../service/problem";
import { type StoodIn as Text, useStandIns } from "../../service/standIns";
import type { Question } from "../../state/question";
import { sentence } from "../ProblemNote";

interface Props {
  text: string;
  /** What stands in, and how it is drawn: as for the picture below. */
  drawn: Pick<Question, "model" | "reference" | "draws" | "fill" | "seed">;
  /** Words that are out. */
  absent: readonly number[];
}

/** What a reference makes of the text with some words out: the text that the model reads. */
export function StoodIn({ text, drawn, absent }: Props) {
  const { model, reference, draws, fill, seed } = drawn;
  const asked = { text, model, reference, draws, fill, seed, absent: [...absent] };
  const { data, error, isPlaceholderData } = useStandIns(asked);
  const [draw, setDraw] = useState(0);
  if (absent.length === 0) return <p className="stood-in">{text}</p>;
  if (answered(error)) return <p className="stood-in problem">{sentence(problemOf(error).detail)}</p>;
  if (!data) return <p className="stood-in hint">…</p>;
  const shown = data.texts[draw % data.texts.length];
  return (
    <div className="stood-in" data-stale={isPlaceholderData}>
      <p dir="auto">{shown && <Written {...shown} />}</p>
      {data.texts.length > 1 && (
        <p className="hint">
          {(draw % data.texts.length) + 1} of {data.texts.length} texts that are averaged ·{" "}
          <Button kind="link" onClick={() => setDraw(draw + 1)}>
            next
          </Button>
        </p>
      )}
    </div>
  );
}

/** Stand-ins are marked; where nothing is seen, there is an empty place, unless the text has closed up over it. */
function Written({ text, marked, words }: Text) {
  const closed = !marked.includes("[");
  const characters = Array.from(text);
  const between = (start: number, end: number) => characters.slice(start, end).join("");
  return (
    <>
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words stay where they are
        <span key={index}>
          {between(words[index - 1]?.end ?? 0, word.start)}
          {word.stands_in && !(closed && word.text === "") ? <mark>{word.text}</mark> : word.text}
        </span>
      ))}
      {between(words.at(-1)?.end ?? 0, characters.length)}
    </>
  );
}
