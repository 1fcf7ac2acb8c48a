import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../controls/Button";
import { CheckField } from "../controls/fields";
import { Upload } from "../controls/Upload";
import { useCatalog } from "../service/catalog";
import { useTitle } from "../shell/useTitle";
import "../studies/studies.css";
import { useActions, useMeasures, usePlan } from "./api";
import { type Draft, FIRST, lacking, toDesign } from "./draft";
import "./lab.css";
import { Price, SeedAndTitle } from "./Closing";
import { Cost } from "./Cost";
import { Several } from "./Several";
import { TextsField, tasksOf } from "./TextsField";
import { useSettled } from "./useSettled";

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
  const tasks = tasksOf(models);
  return (
    <div className="studies lab">
      <p className="trail">
        <Link to="/lab">Lab</Link>
      </p>
      <h1>New run</h1>
      <form className="overview new-run" onSubmit={begin}>
        <TextsField tasks={tasks} chosen={draft} onChange={change} />
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
          <CheckField
            label="Gauge the operators: how strange the texts are that they make"
            hint="A small language model reads a few texts of each operator."
            checked={draft.gauge}
            onChange={(gauge) => change({ gauge })}
          />
          <SeedAndTitle chosen={draft} hint="Made from models and methods when empty." onChange={change} />
        </section>
        <Price
          missing={missing}
          refused={plan.error ?? create.error}
          busy={plan.isError || create.isPending}
          button="Begin the run"
        >
          <Cost plan={plan.data} waiting={plan.isFetching} />
        </Price>
      </form>
    </div>
  );
}
