import { type FormEvent, useState } from "react";
import { Button } from "../controls/Button";
import { SelectField, TextField } from "../controls/fields";
import { Panel } from "../controls/Panel";
import type { Reference } from "../explanation";
import { writtenWord } from "../explanation";
import type { Catalog } from "../service/catalog";
import type { Prediction } from "../service/predictions";
import { methodsFor } from "../state/methods";
import type { Against, Question } from "../state/question";
import { ANY_OTHER, fillsIn, speaks } from "../state/words";
import { views } from "../views/registry";

interface Props {
  catalog: Catalog | undefined;
  question: Question;
  classes: Prediction["classes"] | undefined;
  onAsk(change: Partial<Question>): void;
}

/** Two of something side by side: models, sentences, classes, references or methods. */
export function ComparePanel({ catalog, question, classes, onAsk }: Props) {
  const { against } = question;
  const model = catalog?.models.find(({ name }) => name === question.model);
  const words = speaks(model);
  const target = question.target ?? best(classes);
  return (
    <>
      <Panel label={against ? "Comparing" : "Compare"} icon="compare">
        {(close) => {
          // The sheet lies over what was asked for: a choice closes it.
          const ask = (change: Partial<Question>) => {
            close();
            onAsk(change);
          };
          const compare = (change: Against) => ask({ against: change });
          return (
            <>
              <h3>Beside this, show</h3>
              <Pick
                label="Another model"
                options={catalog?.models
                  .filter(({ name }) => name !== question.model)
                  .map(({ name, title }) => [name, title])}
                onPick={(name) => compare({ model: name })}
              />
              <Pick
                label={words ? "Another word" : "Another class"}
                options={classes
                  ?.filter(({ name }) => name !== target && !(words && name === ANY_OTHER))
                  .map(({ name }) => [name, words ? writtenWord(name, fillsIn(model)) : name])}
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
                  ask({ against: { methods: { [view]: method } }, only: view });
                }}
              />
              <AnotherText onText={(text) => compare({ text })} />
            </>
          );
        }}
      </Panel>
      {against && <Button onClick={() => onAsk({ against: null })}>End comparison</Button>}
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
    <SelectField
      label={label}
      value=""
      options={[{ value: "", title: "choose…" }, ...options.map(([value, title]) => ({ value, title }))]}
      onChange={(value) => value && onPick(value)}
    />
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
      <TextField label="Another sentence" dir="auto" rows={2} value={text} onChange={setText} />
      <Button type="submit" disabled={text.trim() === ""}>
        Compare with this sentence
      </Button>
    </form>
  );
}
