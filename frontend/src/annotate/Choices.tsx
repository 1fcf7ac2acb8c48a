import { useId } from "react";

type Props = {
  /** What is asked, for those who hear the page. */
  question: string;
  choices: string[];
  chosen: string | null;
  onChoose: (choice: string) => void;
  /** Shows the number keys on the buttons: only where they would answer this question. */
  keys: boolean;
  disabled?: boolean;
};

/** Buttons of which one can be pressed. Radio buttons underneath, so that arrows, screen readers and forms know them. */
export function Choices({ question, choices, chosen, onChoose, keys, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset className="choices" disabled={disabled}>
      <legend className="unseen">{question}</legend>
      {choices.map((choice, index) => (
        <label key={choice} className="choice">
          <input
            type="radio"
            name={name}
            value={choice}
            checked={chosen === choice}
            onChange={() => onChoose(choice)}
          />
          <span className="choice-name">{choice}</span>
          {keys && (
            <span className="choice-key" aria-hidden="true">
              {index + 1}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
