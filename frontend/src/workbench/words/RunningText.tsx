import { type CSSProperties, useState } from "react";
import { Button } from "../../controls/Button";
import { writtenWord } from "../../explanation";
import { dataAt, Readout, useMarks } from "../../marks";
import { problemOf } from "../../service/problem";
import { type SurprisingWord, useSurprise } from "../../service/surprise";
import { sentence } from "../ProblemNote";
import { percent } from "../percent";

interface Props {
  text: string;
  model: string;
  /** Where the prompt ends: the word behind it is the one that is explained. */
  at: number | null;
  /** Explain a word of the text from the words before it, which end at this character. */
  onWord(promptEnd: number, word: string): void;
}

/** Bits from which on a word is shaded as strongly as it gets: one of four thousand. */
const MOST_BITS = 12;
const LIKELY = 4;

/** The text as a language model reads it, each word shaded by how little it was expected. */
export function RunningText({ text, model, at, onWord }: Props) {
  const { data, error } = useSurprise(text, model, true);
  const [pointed, setPointed] = useState<number | null>(null);
  const words = data?.words ?? [];
  const { picture, hands } = useMarks<number, HTMLDivElement>({
    at: (part) => {
      const index = dataAt(part, "word");
      return index === null ? null : Number(index);
    },
    point: setPointed,
    choose: (index) => {
      const [before, word] = [words[index - 1], words[index]];
      if (before && word) onWord(before.end, Array.from(text).slice(before.end, word.end).join(""));
    },
  });
  if (error) return <p className="problem">{sentence(problemOf(error).detail)}</p>;
  if (!data) return <p className="hint">Reading the text word by word…</p>;
  const explained = at === null ? -1 : words.findIndex(({ end }) => end > at);
  const shown = words[pointed ?? explained];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like text */}
      <div
        className="running-text"
        ref={picture}
        role="group"
        aria-label="Words by surprise"
        dir="auto"
        {...hands}
      >
        {words.map((word, index) => (
          <span key={word.start}>
            {index > 0 && (words[index - 1]?.end ?? 0) < word.start && " "}
            <Button
              kind="bare"
              style={{ "--surprise": Math.min(1, word.bits / MOST_BITS) } as CSSProperties}
              data-word={index}
              data-bits={word.bits}
              aria-pressed={index === explained}
              aria-label={`${word.text}, ${bits(word)}`}
              // Nothing stands before the first word that could explain it.
              disabled={index === 0}
            >
              {word.text}
            </Button>
          </span>
        ))}
      </div>
      <Readout
        subject={shown ? shown.text : null}
        facts={shown ? factsOf(shown) : []}
        hint="The stronger its shade, the less expected a word was. Point at one for what was; click it to explain it from the words before."
      />
    </>
  );
}

const bits = ({ bits: surprise }: SurprisingWord) => `${surprise.toFixed(1)} bits`;

function factsOf(word: SurprisingWord) {
  const likely = word.candidates
    .slice(0, LIKELY)
    .map(({ name, probability }) => `${writtenWord(name)} ${percent(probability)}`);
  return [
    { name: "surprise", value: bits(word) },
    ...(likely.length > 0 ? [{ name: "likely here", value: likely.join(" · ") }] : []),
  ];
}
