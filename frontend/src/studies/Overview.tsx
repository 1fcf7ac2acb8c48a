import { useState } from "react";
import { Button } from "../controls/Button";
import { TextField } from "../controls/fields";
import { TEXTS } from "./create/WordsStep";
import type { Preparation, StudyDocument } from "./documents";
import type { Actions } from "./Lifecycle";
import { Meter } from "./Meter";
import { Problem } from "./Problem";
import { counted, PROTOCOL, RULE } from "./wording";

/** How far the study is, and what it was made of. */
export function Overview({ study, actions }: { study: StudyDocument; actions: Actions }) {
  const { design, votes, people } = study;
  return (
    <div className="overview">
      {(study.status === "preparing" || study.status === "failed") && (
        <Preparing preparation={study.preparation} />
      )}
      {study.status !== "preparing" && study.status !== "failed" && (
        <section className="card">
          <h2>Progress</h2>
          <Meter label="Answers" done={votes.answered} total={votes.needed} unit="screens answered" />
          <p className="hint">
            {counted(people.arrived, "person has", "people have")} come, {people.finished} finished
            {votes.reserved > 0 && `; ${counted(votes.reserved, "screen is", "screens are")} being worked on`}
            {people.simulated > 0 &&
              `; ${counted(people.simulated, "simulated person", "simulated people")} apart`}
            .
          </p>
        </section>
      )}
      <section className="card">
        <h2>Design</h2>
        <p className="asks">{PROTOCOL[design.protocol].asks}</p>
        <dl className="facts">
          <Fact name="Texts">
            {study.preparation.kept} of {study.preparation.candidates}
            <Removed preparation={study.preparation} />
          </Fact>
          <Fact name="Models">{design.models.join(", ")}</Fact>
          <Fact name="Methods">{design.methods.join(", ")}</Fact>
          <Fact name="Answers">
            {study.classes.join(", ")}
            {design.protocol === "coherence" && ", N/A"}
          </Fact>
          <Fact name="Votes for each text">{design.votes}</Fact>
          <Fact name="Texts for each person">at most {design.items_per_person}</Fact>
          <Fact name="Attention checks">{design.attention_checks} for each person</Fact>
          <Fact name="Seed">{study.seed}</Fact>
        </dl>
        {study.preparation.note && <p className="note">{study.preparation.note}</p>}
      </section>
      <TextsEditor study={study} actions={actions} />
    </div>
  );
}

/** Live while texts are looked at and explained. */
export function Preparing({ preparation }: { preparation: Preparation }) {
  return (
    <section className="card" aria-live="polite">
      <h2>Preparing</h2>
      <Meter label="Texts found" done={preparation.kept} total={preparation.wanted} unit="texts found" />
      <p className="hint">
        {counted(preparation.explanations, "explanation")} computed; {preparation.examined} of{" "}
        {counted(preparation.candidates, "text")} looked at.
        <Removed preparation={preparation} />
      </p>
      {preparation.problem && (
        <p className="problem" role="alert">
          {preparation.problem}
        </p>
      )}
    </section>
  );
}

function Removed({ preparation }: { preparation: Preparation }) {
  const removed = Object.entries(preparation.removed).filter(([, texts]) => texts > 0);
  if (removed.length === 0) return null;
  return (
    <span className="hint">
      {" "}
      Left out: {removed.map(([rule, texts]) => `${texts} ${RULE[rule] ?? rule}`).join(", ")}.
    </span>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** What people read. Fixed once they can read it, so that everybody has read the same. */
function TextsEditor({ study, actions }: { study: StudyDocument; actions: Actions }) {
  const [texts, setTexts] = useState(study.texts);
  const open = study.status === "ready" || study.status === "preparing";
  const changed = TEXTS.some(({ name }) => texts[name] !== study.texts[name]);
  return (
    <details className="card">
      <summary>What people read</summary>
      {TEXTS.map(({ name, label, hint }) =>
        open ? (
          <TextField
            key={name}
            label={label}
            hint={hint}
            rows={7}
            value={texts[name]}
            onChange={(text) => setTexts({ ...texts, [name]: text })}
          />
        ) : (
          <section key={name} className="as-read">
            <h3>{label}</h3>
            <p>{study.texts[name]}</p>
          </section>
        ),
      )}
      {open && (
        <div className="actions">
          <Button
            kind="strong"
            size="medium"
            disabled={!changed || actions.change.isPending}
            onClick={() => actions.change.mutate({ texts })}
          >
            Save
          </Button>
          {actions.change.isSuccess && !changed && <span className="hint">Saved</span>}
        </div>
      )}
      <Problem error={actions.change.error} />
    </details>
  );
}
