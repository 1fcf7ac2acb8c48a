import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "../controls/Button";
import { Choice } from "../controls/Choice";
import { TextArea } from "../controls/inputs";
import type { Catalog } from "../service/catalog";
import { isLong } from "../state/levels";
import { examplesFor } from "./examples";

interface Props {
  catalog: Catalog | undefined;
  text: string;
  model: string;
  onExplain(text: string): void;
  onModel(model: string): void;
  children?: ReactNode;
}

/** Where a sentence is written. Ctrl+Enter (⌘+Enter) explains it; what is typed is not sent before. */
export function SentenceCard({ catalog, text, model, onExplain, onModel, children }: Props) {
  const [draft, setDraft] = useState(text);
  const hint = useId();
  // A link, the history or the back button brought another text.
  useEffect(() => setDraft(text), [text]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.trim() !== "") onExplain(draft);
  };
  const changed = draft !== text;
  const chosen = catalog?.models.find(({ name }) => name === model);
  const examples = chosen && catalog ? examplesFor(catalog, chosen) : [];
  return (
    <form className="card sentence-card" onSubmit={submit} data-long={isLong(draft)}>
      <label className="unseen" htmlFor="sentence">
        Sentence
      </label>
      <div className="grow" data-text={`${draft.slice(0, 4000)}\n`}>
        <TextArea
          id="sentence"
          dir="auto"
          rows={1}
          value={draft}
          placeholder="Paste or write a sentence"
          aria-describedby={hint}
          spellCheck={false}
          submits
          onChange={setDraft}
        />
      </div>
      <div className="sentence-tools">
        <Choice
          label="Model"
          value={model}
          options={(catalog?.models ?? []).map(({ name, title, description, problem }) => ({
            value: name,
            title,
            note: problem ?? description,
          }))}
          onChoose={onModel}
        />
        {children}
        <span className="spring" />
        <span id={hint} className="hint wide-only">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        <Button type="submit" kind="strong" disabled={draft.trim() === ""} data-changed={changed}>
          Explain
        </Button>
      </div>
      {examples.length > 0 && (
        <fieldset className="examples">
          <legend>Try</legend>
          {examples.map((example) => (
            <Button
              kind="bare"
              key={example.text}
              className="example"
              title={example.note}
              aria-pressed={example.text === text}
              onClick={() => onExplain(example.text)}
            >
              {example.text}
            </Button>
          ))}
        </fieldset>
      )}
    </form>
  );
}
