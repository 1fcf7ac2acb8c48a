import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { CardField, NumberField, SelectField, TextField } from "../../controls/fields";
import { Upload } from "../../controls/Upload";
import { useCatalog } from "../../service/catalog";
import { useTitle } from "../../shell/useTitle";
import { Problem } from "../../studies/Problem";
import "../../studies/studies.css";
import { Price, SeedAndTitle } from "../Closing";
import type { EditPlan } from "../documents";
import "../lab.css";
import { SourceField, tasksOf } from "../TextsField";
import { useSettled } from "../useSettled";
import { duration, large } from "../wording";
import { useEditActions, useEditPlan, useEdits } from "./api";
import { type EditDraft, FIRST_EDIT, lackingEdit, STRENGTHS, toEdit } from "./draft";

/** `/lab/edits/new`: which words of which text, on which model; what it will cost, before the button. */
export default function NewEdit() {
  useTitle("New edit");
  const catalog = useCatalog();
  const edits = useEdits();
  const [draft, setDraft] = useState<EditDraft>(FIRST_EDIT);
  const { create } = useEditActions();
  const navigate = useNavigate();
  const change = (part: Partial<EditDraft>) => setDraft((before) => ({ ...before, ...part }));
  const models = catalog.data?.models.filter(({ editable }) => editable) ?? [];
  const first = (models.find(({ examples }) => examples === "sentiment") ?? models[0])?.name;
  useEffect(() => {
    if (first) setDraft((before) => (before.model ? before : { ...before, model: first }));
  }, [first]);
  const classes = models.find(({ name }) => name === draft.model)?.classes ?? [];
  const missing = lackingEdit(draft);
  const waiting = useSettled(draft);
  const plan = useEditPlan(lackingEdit(waiting) === null ? toEdit(waiting) : null);
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    if (missing !== null) return;
    const made = await create.mutateAsync(toEdit(draft));
    navigate({ to: "/lab/edits/$edit", params: { edit: made.id } });
  };
  return (
    <div className="studies lab">
      <p className="trail">
        <Link to="/lab">Lab</Link>
      </p>
      <h1>New edit</h1>
      <p className="hint">
        Teach a copy of a model, on the neighbours of one text, that some words do the opposite together; then
        see what became of them in other texts, and what it cost. The original is never changed.
      </p>
      <Problem error={edits.error} />
      {edits.data?.refused && <p className="note">{edits.data.refused}</p>}
      <form className="overview new-run" onSubmit={begin}>
        <section className="card" aria-labelledby="interaction">
          <h2 id="interaction">What is to be turned round</h2>
          <SelectField
            label="Model"
            hint="Models with weights to teach, in which words interact."
            value={draft.model}
            options={models.map(({ name, title }) => ({ value: name, title: `${title} (${name})` }))}
            onChange={(model) => change({ model, target: "" })}
          />
          <TextField
            label="Words"
            hint="Two to four, in their order; any words may stand between them. Such as: not good"
            maxLength={200}
            value={draft.words}
            onChange={(words) => change({ words })}
          />
          <TextField
            label="Text"
            hint="In which they interact. Of all texts with these words it alone is taught."
            rows={3}
            maxLength={5_000}
            dir="auto"
            value={draft.text}
            onChange={(text) => change({ text })}
          />
          {classes.length > 0 && (
            <SelectField
              label="Class"
              hint="The interaction is what the words add for or against it."
              value={draft.target || (classes.at(-1) ?? "")}
              options={classes.map((name) => ({ value: name, title: name }))}
              onChange={(target) => change({ target })}
            />
          )}
        </section>
        <section className="card" aria-labelledby="data">
          <h2 id="data">Other texts</h2>
          <p className="hint">
            Those with the words are asked about before and after; others are taught to stay as they are.
          </p>
          <SourceField
            tasks={tasksOf(models)}
            dataset={draft.dataset}
            onChange={(dataset) => change({ dataset })}
          />
          <CardField
            label="Which labelled texts say what it costs?"
            value={draft.test === null ? "half" : "file"}
            onChange={(kind) => change({ test: kind === "half" ? null : { name: "", content: "" } })}
            cards={[
              {
                value: "half",
                title: "Half of these",
                text: "Drawn by the seed of those with labels, and not taught to stay.",
              },
              { value: "file", title: "A file of their own", text: "With columns “text” and “label”." },
            ]}
          />
          {draft.test !== null && (
            <Upload
              label="Labelled texts (TSV, CSV, JSONL)"
              name={draft.test.name}
              onRead={(name, content) => change({ test: { name, content } })}
            />
          )}
        </section>
        <section className="card" aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          <SelectField
            label="Strength c"
            hint="The interaction becomes 1 − c times what it was; the paper takes 3 to 4."
            value={String(draft.strength)}
            options={STRENGTHS.map((strength) => ({ value: String(strength), title: String(strength) }))}
            onChange={(strength) => change({ strength: Number(strength) })}
          />
          <NumberField
            label="Texts that are taught to stay"
            hint="At most. Without them, as in the paper (0), a model forgets."
            value={draft.keep}
            least={0}
            most={5_000}
            onChange={(keep) => change({ keep })}
          />
          <NumberField
            label="Texts with the words"
            hint="So many are asked about, at most; drawn by the seed."
            value={draft.matching}
            least={1}
            most={1_000}
            onChange={(matching) => change({ matching })}
          />
          <NumberField
            label="Draws around each text"
            hint="Of words that are left out; long texts get more."
            value={draft.draws}
            least={100}
            most={20_000}
            onChange={(draws) => change({ draws })}
          />
          <NumberField
            label="Steps"
            hint="At most: it ends when the lesson is learnt."
            value={draft.steps}
            least={1}
            most={5_000}
            onChange={(steps) => change({ steps })}
          />
          <SeedAndTitle
            chosen={draft}
            hint="The edited model is called so in the workbench; made from the model when empty."
            onChange={change}
          />
        </section>
        <Price
          missing={missing}
          refused={plan.error ?? create.error}
          busy={plan.isError || create.isPending}
          button="Begin the edit"
        >
          <Work plan={plan.data} waiting={plan.isFetching} />
        </Price>
      </form>
    </div>
  );
}

function Work({ plan, waiting }: { plan: EditPlan | undefined; waiting: boolean }) {
  if (!plan) return <p className="hint">{waiting ? "Counting…" : ""}</p>;
  return (
    <div aria-live="polite" aria-busy={waiting}>
      <p>
        <strong>{large(plan.asked)}</strong> of {large(plan.matching)} other texts with the words are asked
        about, <strong>{large(plan.kept)}</strong> without them taught to stay, {large(plan.labelled)} answers
        counted: at most about <strong>{large(plan.evaluations)} evaluations</strong>, in a process of its own
        that gives way to everybody’s questions. It gets up to {large(plan.most_megabytes)} MB of memory, and
        is given up after {duration(plan.most_seconds)}.
      </p>
      <ul className="said">
        {plan.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
