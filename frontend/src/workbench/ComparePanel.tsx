import { type FormEvent, useState } from "react";
import type { Reference } from "../explanation";
import { type Catalog, methodsFor } from "../service/catalog";
import type { Prediction } from "../service/predictions";
import type { Against, Question } from "../state/question";
import { views } from "../views/registry";
import { Field } from "./GameSettings";
import { Panel } from "./Panel";

interface Props {
  catalog: Catalog | undefined;
  question: Question;
  classes: Prediction["classes"] | undefined;
  onAsk(change: Partial<Question>): void;
}

/** Two of something side by side: models, sentences, classes, references or methods. */
export function ComparePanel({ catalog, question, classes, onAsk }: Props) {
  const { against } = question;
  const compare = (change: Against) => onAsk({ against: change });
  const target = question.target ?? best(classes);
  return (
    <>
      <Panel label={against ? "Comparing" : "Compare"} icon="compare" className="chip-button">
        <h3>Beside this, show</h3>
        <Pick
          label="Another model"
          options={catalog?.models
            .filter(({ name }) => name !== question.model)
            .map(({ name, title }) => [name, title])}
          onPick={(model) => compare({ model })}
        />
        <Pick
          label="Another class"
          options={classes?.filter(({ name }) => name !== target).map(({ name }) => [name, name])}
          onPick={(name) => compare({ target: name })}
        />
        <Pick
          label="Another way to leave words out"
          options={catalog?.references
            .filter(({ name }) => name !== question.reference)
            .map(({ name, description }) => [name, `${name}: ${description}`])}
          onPick={(reference) => compare({ reference: reference as Reference })}
        />
        <Pick
          label="Another method"
          options={views.flatMap((view) =>
            (catalog ? methodsFor(catalog, view.name, question.model) : [])
              .filter((method) => method.name !== question.methods[view.name])
              .map((method): [string, string] => [
                `${view.name}/${method.name}`,
                `${view.title}: ${method.title}`,
              ]),
          )}
          onPick={(choice) => {
            const [view, method] = choice.split("/") as [keyof Question["methods"], string];
            onAsk({ against: { methods: { [view]: method } }, only: view });
          }}
        />
        <AnotherText onText={(text) => compare({ text })} />
      </Panel>
      {against && (
        <button type="button" className="chip-button" onClick={() => onAsk({ against: null })}>
          End comparison
        </button>
      )}
    </>
  );
}

function best(classes: Prediction["classes"] | undefined): string | undefined {
  return classes?.reduce((one, other) => (other.probability > one.probability ? other : one)).name;
}

interface PickProps {
  label: string;
  options: [string, string][] | undefined;
  onPick(value: string): void;
}

function Pick({ label, options = [], onPick }: PickProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value="" onChange={(event) => event.target.value && onPick(event.target.value)}>
          <option value="">choose…</option>
          {options.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function AnotherText({ onText }: { onText(text: string): void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") onText(text);
  };
  return (
    <form onSubmit={submit}>
      <Field label="Another sentence">
        {(id) => (
          <textarea
            id={id}
            dir="auto"
            rows={2}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="chip-button" disabled={text.trim() === ""}>
        Compare with this sentence
      </button>
    </form>
  );
}
