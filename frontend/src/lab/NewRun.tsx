import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../controls/Button";
import { CardField, CheckField, NumberField, SelectField, TextField } from "../controls/fields";
import { Upload } from "../controls/Upload";
import { useCatalog } from "../service/catalog";
import { useTitle } from "../shell/useTitle";
import { Problem } from "../studies/Problem";
import "../studies/studies.css";
import { useActions, useMeasures, usePlan } from "./api";
import { type Draft, FIRST, lacking, toDesign, toggled } from "./draft";
import "./lab.css";
import { Cost } from "./Cost";

const EXAMPLE =
  '{"text": "A fine film.", "words": ["A", "fine", "film", "."], "scores": [0, 0.7, 0.1, 0], "method": "captum-ig"}';

/** `/lab/new`: data, models, methods, measures, and what it will cost, before the button. */
export default function NewRun() {
  useTitle("New run");
  const catalog = useCatalog();
  const measures = useMeasures();
  const [draft, setDraft] = useState<Draft>(FIRST);
  // How often explanations were taken away again: their field is another one then, and empty.
  const [removed, setRemoved] = useState(0);
  const { create } = useActions();
  const navigate = useNavigate();
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const models = catalog.data?.models.filter(({ says }) => says === "classes") ?? [];
  const first = models.find(({ examples }) => examples === "sentiment")?.name;
  const usual = measures.data?.usual;
  useEffect(() => {
    if (first) setDraft((before) => (before.models.length > 0 ? before : { ...before, models: [first] }));
  }, [first]);
  useEffect(() => {
    if (usual)
      setDraft((before) => (before.measures.length > 0 ? before : { ...before, measures: [...usual] }));
  }, [usual]);
  const withoutThem = () => {
    change({ explanations: null });
    setRemoved(removed + 1);
  };
  const missing = lacking(draft);
  const waiting = useSettled(draft);
  const plan = usePlan(lacking(waiting) === null ? toDesign(waiting) : null);
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    if (missing !== null) return;
    const made = await create.mutateAsync(toDesign(draft));
    navigate({ to: "/lab/$run", params: { run: made.id } });
  };
  const tasks = [...new Set(models.map(({ examples }) => examples).filter((task) => task !== null))];
  return (
    <div className="studies lab">
      <p className="trail">
        <Link to="/lab">Lab</Link>
      </p>
      <h1>New run</h1>
      <form className="overview new-run" onSubmit={begin}>
        <section className="card" aria-labelledby="data">
          <h2 id="data">Texts</h2>
          <CardField
            label="Where do the texts come from?"
            value={draft.dataset.kind}
            onChange={(kind) =>
              change({
                dataset:
                  kind === "samples"
                    ? { kind, task: tasks[0] ?? "sentiment" }
                    : { kind: "file", name: "", content: "" },
              })
            }
            cards={[
              { value: "samples", title: "Sample sentences", text: "Written for Espalier." },
              {
                value: "file",
                title: "A file",
                text: "TSV or CSV with a header line, or JSONL; a column “text”.",
              },
            ]}
          />
          {draft.dataset.kind === "samples" ? (
            <SelectField
              label="Sentences about"
              value={draft.dataset.task ?? ""}
              options={tasks.map((task) => ({ value: task, title: task }))}
              onChange={(task) => change({ dataset: { kind: "samples", task } })}
            />
          ) : (
            <Upload
              name={draft.dataset.name}
              onRead={(name, content) => change({ dataset: { kind: "file", name, content } })}
            />
          )}
          <NumberField
            label="Texts to draw"
            hint="Drawn by the seed; all when empty."
            value={draft.texts}
            least={1}
            most={20_000}
            optional
            onChange={(texts) => change({ texts })}
          />
        </section>
        <Several
          title="Models"
          entries={models.map(({ name, title }) => ({ name, label: title ?? name, hint: name }))}
          chosen={draft.models}
          onChange={(chosen) => change({ models: chosen })}
        />
        <Several
          title="Methods"
          entries={(catalog.data?.methods ?? []).map(({ name, title, shows }) => ({
            name,
            label: title,
            hint: shows,
          }))}
          chosen={draft.methods}
          onChange={(chosen) => change({ methods: chosen })}
        />
        <section className="card" aria-labelledby="own">
          <h2 id="own">Explanations of your own</h2>
          <p className="hint">
            Made with shap, captum, lime, ferret or by hand, and measured beside the methods: one object a
            line, such as <code>{EXAMPLE}</code>. “offsets” in characters may stand for “words”; “spans” are
            phrases. Only texts of this run count.
          </p>
          <Upload
            key={removed}
            label="Explanations (JSONL)"
            accept=".jsonl"
            name={draft.explanations?.name ?? ""}
            onRead={(name, content) => change({ explanations: { name, content } })}
          />
          {draft.explanations && <Button onClick={withoutThem}>Without them</Button>}
        </section>
        <Several
          title="What stands in for absent words while they explain"
          entries={(catalog.data?.references ?? []).map(({ name, description }) => ({
            name,
            label: name,
            hint: description,
          }))}
          chosen={draft.references}
          onChange={(chosen) => change({ references: chosen })}
        />
        <Several
          title="Measures"
          entries={(measures.data?.measures ?? []).map(({ name, title, description }) => ({
            name,
            label: title,
            hint: description,
          }))}
          chosen={draft.measures}
          onChange={(chosen) => change({ measures: chosen })}
          first={usual ?? []}
        />
        <section className="card" aria-labelledby="more">
          <h2 id="more">Beside the methods</h2>
          <CheckField
            label="Search for the best order of every text’s words"
            hint="Shows how good any explanation could be. It is often the larger part of the work."
            checked={draft.bestOrder}
            onChange={(bestOrder) => change({ bestOrder })}
          />
          <NumberField
            label="Seed"
            hint="The same seed gives the same numbers."
            value={draft.seed}
            least={0}
            most={4_294_967_295}
            onChange={(seed) => change({ seed })}
          />
          <TextField
            label="Title"
            hint="Made from models and methods when empty."
            maxLength={200}
            value={draft.title}
            onChange={(title) => change({ title })}
          />
        </section>
        <section className="card cost" aria-labelledby="cost">
          <h2 id="cost">What it will cost</h2>
          {missing ? <p className="hint">{missing}</p> : <Cost plan={plan.data} waiting={plan.isFetching} />}
          <Problem error={missing ? null : (plan.error ?? create.error)} />
          <Button
            type="submit"
            kind="strong"
            size="medium"
            disabled={missing !== null || plan.isError || create.isPending}
          >
            Begin the run
          </Button>
        </section>
      </form>
    </div>
  );
}

interface Entry {
  name: string;
  label: string;
  hint: string;
}

/** Some of many, each with a line that says what it is. Those that are not usual wait behind a word. */
function Several({
  title,
  entries,
  chosen,
  onChange,
  first,
}: {
  title: string;
  entries: Entry[];
  chosen: string[];
  onChange(chosen: string[]): void;
  first?: readonly string[];
}) {
  const shown = first ? entries.filter(({ name }) => first.includes(name)) : entries;
  const others = first ? entries.filter(({ name }) => !first.includes(name)) : [];
  const boxes = (some: Entry[]) => (
    <div className="several">
      {some.map(({ name, label, hint }) => (
        <CheckField
          key={name}
          label={label}
          hint={hint}
          checked={chosen.includes(name)}
          onChange={(on) => onChange(toggled(chosen, name, on))}
        />
      ))}
    </div>
  );
  return (
    <fieldset className="card group">
      <legend className="unseen">{title}</legend>
      <h2>{title}</h2>
      {boxes(shown)}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more, with other operators</summary>
          {boxes(others)}
        </details>
      )}
    </fieldset>
  );
}

/** The draft once its writer has paused: a price is not asked for at every key. */
function useSettled(draft: Draft): Draft {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const later = setTimeout(() => setSettled(draft), 400);
    return () => clearTimeout(later);
  }, [draft]);
  return settled;
}
