import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { NumberField, SelectField, TextField } from "../../controls/fields";
import { Upload } from "../../controls/Upload";
import { useCatalog } from "../../service/catalog";
import { useTitle } from "../../shell/useTitle";
import "../../studies/studies.css";
import { Price, SeedAndTitle } from "../Closing";
import type { DiagnosisPlan } from "../documents";
import "../lab.css";
import { Several } from "../Several";
import { TextsField, tasksOf } from "../TextsField";
import { useSettled } from "../useSettled";
import { large } from "../wording";
import { useDiagnosisActions, useDiagnosisPlan } from "./api";
import { type DiagnosisDraft, FIRST_DIAGNOSIS, lackingDiagnosis, toDiagnosis } from "./draft";
import { DIAGNOSTICS, trainedOn } from "./wording";

/** `/lab/diagnoses/new`: data, models, what is to be found out, and what it will cost, before the button. */
export default function NewDiagnosis() {
  useTitle("New diagnosis");
  const catalog = useCatalog();
  const [draft, setDraft] = useState<DiagnosisDraft>(FIRST_DIAGNOSIS);
  const { create } = useDiagnosisActions();
  const navigate = useNavigate();
  const change = (part: Partial<DiagnosisDraft>) => setDraft((before) => ({ ...before, ...part }));
  const models = catalog.data?.models.filter(({ says }) => says === "classes") ?? [];
  const bags = catalog.data?.methods.find(({ name }) => name === "linear-shap")?.models ?? [];
  const first = models.find(({ examples }) => examples === "sentiment")?.name;
  const bag = bags[0];
  useEffect(() => {
    if (first) setDraft((before) => (before.models.length > 0 ? before : { ...before, models: [first] }));
  }, [first]);
  useEffect(() => {
    if (bag) setDraft((before) => (before.linear ? before : { ...before, linear: bag }));
  }, [bag]);
  const fits = draft.diagnostics.includes("fit") || draft.diagnostics.includes("context-free");
  const missing = lackingDiagnosis(draft);
  const waiting = useSettled(draft);
  const plan = useDiagnosisPlan(lackingDiagnosis(waiting) === null ? toDiagnosis(waiting) : null);
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    if (missing !== null) return;
    const made = await create.mutateAsync(toDiagnosis(draft));
    navigate({ to: "/lab/diagnoses/$diagnosis", params: { diagnosis: made.id } });
  };
  return (
    <div className="studies lab">
      <p className="trail">
        <Link to="/lab">Lab</Link>
      </p>
      <h1>New diagnosis</h1>
      <p className="hint">What explanations of many texts say together of a model.</p>
      <form className="overview new-run" onSubmit={begin}>
        <TextsField tasks={tasksOf(models)} chosen={draft} onChange={change} />
        <Several
          title="Models"
          entries={models.map(({ name, title }) => ({ name, label: title ?? name, hint: name }))}
          chosen={draft.models}
          onChange={(chosen) => change({ models: chosen })}
        />
        <Several
          title="What is to be found out"
          entries={Object.entries(DIAGNOSTICS).map(([name, told]) => ({ name, ...told }))}
          chosen={draft.diagnostics}
          onChange={(diagnostics) => change({ diagnostics })}
        />
        <section className="card" aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          {draft.diagnostics.includes("linearity") && (
            <SelectField
              label="Bag of words"
              hint="Models are compared with its weights; it must have their classes."
              value={draft.linear}
              options={bags.map((name) => ({ value: name, title: name }))}
              onChange={(linear) => change({ linear })}
            />
          )}
          {draft.diagnostics.includes("overfitting") && (
            <Upload
              label="Training texts (TSV, CSV, JSONL)"
              name={draft.training?.name ?? ""}
              onRead={(name, content) => change({ training: { name, content } })}
            />
          )}
          {draft.diagnostics.includes("context-free") && (
            <TextField
              label="Interactions"
              hint="The words in their order, one interaction a line; any words may stand between them."
              rows={3}
              maxLength={1_000}
              value={draft.interactions}
              onChange={(interactions) => change({ interactions })}
            />
          )}
          {fits && (
            <NumberField
              label="Draws around each text"
              hint="Of words that are left out; long texts get more."
              value={draft.draws}
              least={100}
              most={20_000}
              onChange={(draws) => change({ draws })}
            />
          )}
          <SeedAndTitle chosen={draft} hint="Made from the models when empty." onChange={change} />
        </section>
        <Price
          missing={missing}
          refused={plan.error ?? create.error}
          busy={plan.isError || create.isPending}
          button="Begin the diagnosis"
        >
          <Work plan={plan.data} waiting={plan.isFetching} />
        </Price>
      </form>
    </div>
  );
}

function Work({ plan, waiting }: { plan: DiagnosisPlan | undefined; waiting: boolean }) {
  if (!plan) return <p className="hint">{waiting ? "Counting…" : ""}</p>;
  return (
    <div aria-live="polite" aria-busy={waiting}>
      <p>
        <strong>{large(plan.texts)} texts</strong>
        {trainedOn(plan)}, {large(plan.units)} texts on models, at most about{" "}
        <strong>{large(plan.evaluations)} evaluations</strong>.
      </p>
      <ul className="said">
        {plan.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
