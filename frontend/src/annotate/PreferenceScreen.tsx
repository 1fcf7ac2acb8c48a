import { useId } from "react";
import { HighlightedText } from "./HighlightedText";
import type { PreferenceTask } from "./task";

type Props = {
  task: Pick<PreferenceTask, "text" | "words" | "options">;
  chosen: string | null;
  onChoose: ((letter: string) => void) | null;
};

/** Two highlighted copies of one text; the better one is chosen by pressing anywhere on it. */
export function PreferenceScreen({ task, chosen, onChoose }: Props) {
  const name = useId();
  const largest = Math.max(
    ...task.options.flatMap((option) => option.highlights.map(({ weight }) => Math.abs(weight))),
    Number.MIN_VALUE,
  );
  return (
    <fieldset className="pair" disabled={onChoose === null}>
      <legend className="unseen">Which explains it better?</legend>
      {task.options.map((option, index) => (
        <label key={option.letter} className="choice option">
          <span className="option-head">
            <input
              type="radio"
              name={name}
              value={option.letter}
              checked={chosen === option.letter}
              onChange={() => onChoose?.(option.letter)}
            />
            <span className="letter">{option.letter}</span>
            {onChoose !== null && (
              <span className="choice-key" aria-hidden="true">
                {index + 1}
              </span>
            )}
          </span>
          <HighlightedText
            text={task.text}
            words={task.words}
            highlights={option.highlights}
            largest={largest}
          />
        </label>
      ))}
    </fieldset>
  );
}
