import { Button } from "../../controls/Button";
import type { Word } from "../../explanation";
import { toggled } from "./absent";

interface Props {
  words: readonly Word[];
  absent: readonly number[];
  onAbsent(absent: number[]): void;
}

/** The text with some words taken out: a click takes one out or puts it back. */
export function Coalition({ words, absent, onAbsent }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like text
    <div className="coalition" role="group" aria-label="Words that are present" dir="auto">
      {words.map((word, index) => (
        <span key={word.start}>
          {index > 0 && (words[index - 1]?.end ?? 0) < word.start && " "}
          <Button
            kind="bare"
            aria-pressed={!absent.includes(index)}
            onClick={() => onAbsent(toggled(absent, index))}
          >
            <bdi>{word.text}</bdi>
          </Button>
        </span>
      ))}
    </div>
  );
}
