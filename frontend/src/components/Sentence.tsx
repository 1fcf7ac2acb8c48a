import type { FormEvent, KeyboardEvent } from "react";
import type { Model } from "../api";

type Props = {
  text: string;
  onText: (text: string) => void;
  models: Model[];
  model: string;
  onModel: (name: string) => void;
  onAsk: () => void;
};

/** Where a sentence is written and a model chosen. Ctrl+Enter (⌘+Enter) asks, Enter alone is a new line. */
export function Sentence({ text, onText, models, model, onModel, onAsk }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAsk();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onAsk();
    }
  };
  return (
    <form className="card sentence" onSubmit={submit}>
      <label htmlFor="text">Sentence</label>
      <textarea
        id="text"
        rows={2}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={key}
      />
      <div className="controls">
        <label htmlFor="model">Model</label>
        <select id="model" value={model} onChange={(event) => onModel(event.target.value)}>
          {models.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <button type="submit" disabled={text.trim() === "" || model === ""}>
          Predict
        </button>
        <span className="hint">
          or <kbd>Ctrl</kbd> + <kbd>Enter</kbd>
        </span>
      </div>
      <p className="hint">{models.find(({ name }) => name === model)?.description}</p>
    </form>
  );
}
