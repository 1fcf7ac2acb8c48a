import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../controls/Button";
import { CopyButton } from "../controls/CopyButton";
import { useTitle } from "../shell/useTitle";
import { Meter } from "../studies/Meter";
import { Problem } from "../studies/Problem";
import "../studies/studies.css";
import { AgreementTable } from "./AgreementTable";
import { useActions, useResults, useRun } from "./api";
import { Curves } from "./Curves";
import { Distribution } from "./Distribution";
import type { EvaluationDocument, EvaluationResults } from "./documents";
import { Exports } from "./Exports";
import "./lab.css";
import { MeasureTable } from "./MeasureTable";
import { duration, large, STATUS, sourceOf, titleOf } from "./wording";

/** `/lab/{run}`: the table first, then curves, sentences, agreement, and what to take home. */
export default function RunPage() {
  const { run: id } = useParams({ strict: false }) as { run: string };
  const { data: run, error } = useRun(id);
  const results = useResults(id, run);
  useTitle(run ? titleOf(run) : "Run");
  return (
    <div className="studies lab run-page">
      <p className="trail">
        <Link to="/lab">Lab</Link>
      </p>
      <Problem error={error} />
      {run && (
        <>
          <header className="page-head">
            <div>
              <h1>{titleOf(run)}</h1>
              <p className="status-line">
                <span className={`status ${run.status}`}>{STATUS[run.status]}</span>{" "}
                <span className="hint">
                  {large(run.texts)} texts ({sourceOf(run.design)}), seed {run.design.seed ?? 0},{" "}
                  {large(run.evaluations)} evaluations
                  {results.data?.shared ? `; sharing saved ${shared(results.data.shared)}` : ""}
                </span>
              </p>
            </div>
            {!run.example && <Actions run={run} />}
          </header>
          {run.status === "running" && <UnderWay run={run} />}
          {run.problem && <p className="problem">{run.problem}</p>}
          <Problem error={results.error} />
          {results.data && results.data.lines.length > 0 && <Findings run={run} results={results.data} />}
          {results.isPending && <p className="hint">Drawing sentences for the intervals…</p>}
          {results.data?.lines.length === 0 && <p className="hint">Nothing is measured yet.</p>}
        </>
      )}
    </div>
  );
}

/** Wanted for each that was made: 2.5 says that three of five came for nothing. */
const shared = (ratio: number) => `${Math.round(100 * (1 - 1 / ratio))} %`;

function UnderWay({ run }: { run: EvaluationDocument }) {
  return (
    <section className="card" aria-label="Progress">
      <Meter label="Measured" done={run.done} total={run.total} unit="texts on models" />
      <p className="hint">
        {run.seconds_left === null ? "Beginning…" : `About ${duration(run.seconds_left)} left.`} It goes on
        when you leave this page, and after a restart. Everybody’s single questions come first.
      </p>
    </section>
  );
}

function Actions({ run }: { run: EvaluationDocument }) {
  const { cancel, remove } = useActions();
  const [sure, setSure] = useState(false);
  const navigate = useNavigate();
  const destroy = async () => {
    await remove.mutateAsync(run.id);
    navigate({ to: "/lab" });
  };
  return (
    <div className="actions">
      {run.status === "running" && (
        <Button size="medium" onClick={() => cancel.mutate(run.id)} disabled={cancel.isPending}>
          Cancel
        </Button>
      )}
      <Button size="medium" onClick={() => (sure ? destroy() : setSure(true))} disabled={remove.isPending}>
        {sure ? "Really delete all of it" : "Delete"}
      </Button>
      <Problem error={cancel.error ?? remove.error} />
    </div>
  );
}

function Findings({ run, results }: { run: EvaluationDocument; results: EvaluationResults }) {
  return (
    <div className="overview">
      {results.warnings.length > 0 && (
        <ul className="note said" aria-label="What to keep in mind">
          {results.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {run.design.models.map((model) => (
        <MeasureTable key={model} model={model} results={results} design={run.design} />
      ))}
      <Curves results={results} design={run.design} />
      <Distribution run={run} results={results} />
      <AgreementTable results={results} />
      <section className="card" aria-labelledby="paragraph">
        <div className="card-head">
          <h2 id="paragraph">For a paper</h2>
          <CopyButton text={results.paragraph} />
        </div>
        <p className="paragraph">{results.paragraph}</p>
      </section>
      <Exports run={run} results={results} />
    </div>
  );
}
