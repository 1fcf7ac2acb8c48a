import { Button } from "../../controls/Button";
import { writtenWord } from "../../explanation";
import type { Prediction } from "../../service/predictions";
import { ANY_OTHER } from "../../state/words";
import { percent } from "../percent";

interface Props {
  /** Whether the words are for a blank in the text, not for its end. */
  blank: boolean;
  prediction: Prediction;
  target: string;
  /** The word that the explained one is held against. */
  rather: string | null;
  /** The word that really comes next, where that is known. */
  real: string | null;
  onTarget(word: string): void;
}

/** Where a classifier has its classes: likely next words, and those that somebody named. */
export function NextWords({ blank, prediction, target, rather, real, onTarget }: Props) {
  const words = prediction.classes.filter(({ name }) => name !== ANY_OTHER);
  const rest = prediction.classes.find(({ name }) => name === ANY_OTHER);
  return (
    <fieldset className="classes next-words" data-many>
      <legend className="unseen">{blank ? "Word for the blank" : "Next word"} to explain</legend>
      {words.map(({ name, probability }) => (
        <Button
          kind="bare"
          key={name}
          className="class"
          aria-pressed={name === target}
          data-class={name}
          data-probability={probability}
          onClick={() => onTarget(name)}
        >
          <span className="class-name">
            <bdi>{writtenWord(name, blank)}</bdi>
            {name === real && <span className="word-mark real-mark">real</span>}
            {name === rather && <span className="word-mark rather-mark">rather than</span>}
          </span>
          <span className="class-share">{percent(probability)}</span>
          <span className="class-track">
            <span className="class-bar" style={{ inlineSize: `${probability * 100}%` }} />
          </span>
        </Button>
      ))}
      {rest && <span className="rest">all others {percent(rest.probability)}</span>}
    </fieldset>
  );
}
