import { type FormEvent, useState } from "react";
import { Button } from "../../controls/Button";
import { Choice } from "../../controls/Choice";
import { writtenWord } from "../../explanation";
import type { Prediction } from "../../service/predictions";
import { ANY_OTHER, goingOn } from "../../state/words";
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
  onRather(word: string | null): void;
  /** The likeliest word and the real one, side by side. */
  onBoth(predicted: string, real: string): void;
}

/** Where a classifier has its classes: likely next words, a field for any other, and what to hold them against. */
export function NextWords({ blank, prediction, target, rather, real, onTarget, onRather, onBoth }: Props) {
  const written = (word: string) => writtenWord(word, blank);
  const what = blank ? "Word for the blank" : "Next word";
  const words = prediction.classes.filter(({ name }) => name !== ANY_OTHER);
  const rest = prediction.classes.find(({ name }) => name === ANY_OTHER);
  const others = words.filter(({ name }) => name !== target);
  return (
    <>
      <fieldset className="classes next-words" data-many>
        <legend className="unseen">{what} to explain</legend>
        {words.map(({ name, probability }) => (
          <button
            key={name}
            type="button"
            className="class"
            aria-pressed={name === target}
            data-class={name}
            data-probability={probability}
            onClick={() => onTarget(name)}
          >
            <span className="class-name">
              <bdi>{written(name)}</bdi>
              {name === real && <span className="real-mark">real</span>}
            </span>
            <span className="class-share">{percent(probability)}</span>
            <span className="class-track">
              <span className="class-bar" style={{ inlineSize: `${probability * 100}%` }} />
            </span>
          </button>
        ))}
        {rest && <span className="rest">all others {percent(rest.probability)}</span>}
      </fieldset>
      <div className="word-tools">
        <AnotherWord blank={blank} onWord={onTarget} />
        <Choice
          label="Held against"
          value={rather ?? ""}
          options={[
            { value: "", title: "rather than anything else" },
            ...others.map(({ name }) => ({ value: name, title: `rather than “${written(name)}”` })),
          ]}
          onChoose={(word) => onRather(word === "" ? null : word)}
        />
        {real !== null && real !== prediction.label && (
          <Button onClick={() => onBoth(prediction.label, real)}>
            “{written(prediction.label)}” beside “{written(real)}”
          </Button>
        )}
      </div>
    </>
  );
}

function AnotherWord({ blank, onWord }: { blank: boolean; onWord(word: string): void }) {
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === "") return;
    onWord(goingOn(typed, blank));
    setTyped("");
  };
  return (
    <form className="another-word" onSubmit={submit}>
      <input
        aria-label={blank ? "Another word for the blank" : "Another next word"}
        placeholder="another word"
        dir="auto"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={typed.trim() === ""}>
        Explain it
      </Button>
    </form>
  );
}
