import { useId } from "react";
import { Radio } from "../controls/inputs";
import type { Option } from "./documents";

type Props = {
  /** What is asked, for those who hear the page. */
  question: string;
  options: Option[];
  chosen: string | null;
  onChoose: (value: string) => void;
  /** Shows the number keys on the buttons: only where they would answer this question. */
  keys: boolean;
  disabled?: boolean;
};

/** Buttons of which one can be pressed. Radio buttons underneath, so that arrows, screen readers and forms know them. */
export function Choices({ question, options, chosen, onChoose, keys, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset className="choices" disabled={disabled}>
      <legend className="unseen">{question}</legend>
      {options.map(({ value, label }, index) => (
        <label key={value} className="choice">
          <Radio name={name} value={value} checked={chosen === value} onChoose={() => onChoose(value)} />
          <span className="choice-name">{label}</span>
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
