import { type FormEvent, useState } from "react";
import { Button } from "../../controls/Button";
import { Choice } from "../../controls/Choice";
import { Icon } from "../../controls/Icon";
import { TextInput } from "../../controls/inputs";
import { writtenWord } from "../../explanation";
import type { Prediction } from "../../service/predictions";
import { ANY_OTHER, goingOn, predictedWord } from "../../state/words";
import { percent } from "../percent";

interface Props {
  blank: boolean;
  prediction: Prediction;
  target: string;
  rather: string | null;
  real: string | null;
  /** Say which word really came, or that none is known; null where that is not for people to say. */
  onReal: ((word: string | null) => void) | null;
  onRather(word: string | null): void;
  onSwap(): void;
  onTyped(word: string): void;
  onTypedRather(word: string): void;
  /** What the model would say and the real word, side by side. */
  onBoth(predicted: string, real: string): void;
}

/** Which word is explained rather than which other, any word that is not among the likely ones, and the real one. */
export function WordTools(props: Props) {
  const { blank, prediction, target, rather, real, onReal, onRather, onSwap, onBoth } = props;
  const written = (word: string) => writtenWord(word, blank);
  const others = prediction.classes.filter(({ name }) => name !== target && name !== ANY_OTHER);
  const predicted = predictedWord(prediction);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like a sentence */}
      <div className="word-tools contrast" role="group" aria-label="Contrast">
        <span>
          Why{" "}
          <strong>
            “<bdi>{written(target)}</bdi>”
          </strong>{" "}
          rather than
        </span>
        <Choice
          label="Rather than"
          value={rather ?? ""}
          options={[
            { value: "", title: "anything else" },
            ...others.map(({ name }) => ({ value: name, title: `“${written(name)}”` })),
          ]}
          onChoose={(word) => onRather(word === "" ? null : word)}
        />
        {rather !== null && (
          <Button onClick={onSwap}>
            <Icon name="swap" /> Swap
          </Button>
        )}
      </div>
      <div className="word-tools">
        <AnotherWord {...props} />
        {onReal && (
          <Button aria-pressed={real === target} onClick={() => onReal(real === target ? null : target)}>
            “{written(target)}” really came
          </Button>
        )}
        {real !== null && real !== predicted && (
          <Button onClick={() => onBoth(predicted, real)}>
            “{written(predicted)}” beside “{written(real)}”
          </Button>
        )}
      </div>
      <WordNotes {...{ blank, prediction, target, rather }} />
    </>
  );
}

function AnotherWord({ blank, target, onTyped, onTypedRather }: Props) {
  const [typed, setTyped] = useState("");
  const word = typed.trim() === "" ? null : goingOn(typed, blank);
  const say = (how: (word: string) => void) => {
    if (word === null) return;
    how(word);
    setTyped("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    say(onTyped);
  };
  return (
    <form className="another-word" onSubmit={submit}>
      <TextInput
        aria-label={blank ? "Another word for the blank" : "Another next word"}
        placeholder="another word"
        dir="auto"
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
      <Button type="submit" disabled={word === null}>
        Explain it
      </Button>
      <Button disabled={word === null || word === target} onClick={() => say(onTypedRather)}>
        Hold against it
      </Button>
    </form>
  );
}

/** What a probability is made of, where that does not show: a word of several tokens, a likelier beginning. */
function WordNotes({
  blank,
  prediction,
  target,
  rather,
}: Pick<Props, "blank" | "prediction" | "target" | "rather">) {
  const { beginning } = prediction;
  const long = [target, rather].flatMap((word) => {
    const pieces = prediction.pieces?.[prediction.classes.findIndex(({ name }) => name === word)] ?? [];
    return word !== null && pieces.length > 1 ? [{ word, pieces }] : [];
  });
  return (
    <>
      {long.map(({ word, pieces }) => (
        <p key={word} className="hint word-note">
          “<bdi>{writtenWord(word, blank)}</bdi>” is written with {pieces.length} tokens,{" "}
          <bdi>{pieces.map((piece) => writtenWord(piece, blank)).join(" + ")}</bdi>: its probability is their
          product.
        </p>
      ))}
      {beginning && (
        <p className="hint word-note">
          The model most likely goes on with “<bdi>{writtenWord(beginning.text)}</bdi>” (
          {percent(beginning.probability)}). “<bdi>{writtenWord(beginning.word)}</bdi>” begins with it, so the
          token has no place of its own here: what stands first is the likeliest other word.
        </p>
      )}
    </>
  );
}
