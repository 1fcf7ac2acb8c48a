import { useId } from "react";
import { Radio } from "../controls/inputs";
import type { Highlighted, WordShown } from "./documents";
import { HighlightedText, tinted } from "./HighlightedText";

type Props = {
  text: string;
  words: WordShown[];
  explanations: Highlighted[];
  poles: [string, string] | null;
  chosen: string | null;
  onChoose: ((letter: string) => void) | null;
};

/** Two highlighted copies of one text; the better one is chosen by pressing anywhere on it. */
export function PreferenceScreen({ text, words, explanations, poles, chosen, onChoose }: Props) {
  const name = useId();
  return (
    <>
      <fieldset className="pair" disabled={onChoose === null}>
        <legend className="unseen">Which explains it better?</legend>
        {explanations.map(({ letter, groups }, index) => (
          <label key={letter} className="choice option" data-line={letter}>
            <span className="option-head">
              <Radio
                name={name}
                value={letter}
                checked={chosen === letter}
                onChoose={() => onChoose?.(letter)}
              />
              <span className="letter">{letter}</span>
              {onChoose !== null && (
                <span className="choice-key" aria-hidden="true">
                  {index + 1}
                </span>
              )}
            </span>
            <HighlightedText text={text} words={words} groups={groups} />
          </label>
        ))}
      </fieldset>
      {poles && (
        <p className="poles">
          <span className="tint" style={tinted(-0.7)}>
            −
          </span>{" "}
          speaks for {poles[0]}
          <span className="tint" style={tinted(0.7)}>
            +
          </span>{" "}
          speaks for {poles[1]}
        </p>
      )}
    </>
  );
}
