import { Link } from "@tanstack/react-router";
import { buttonLook } from "../controls/Button";
import { useTitle } from "../shell/useTitle";
import { Meter } from "../studies/Meter";
import { Problem } from "../studies/Problem";
import "../studies/studies.css";
import { useRuns } from "./api";
import type { EvaluationDocument } from "./documents";
import "./lab.css";
import { explainedBy, large, listed, STATUS, sourceOf, titleOf } from "./wording";

/** `/lab`: runs of one's own, and those that came with the project. */
export default function LabList() {
  useTitle("Lab");
  const { data, error, isPending } = useRuns();
  const own = data?.evaluations.filter(({ example }) => !example) ?? [];
  const examples = data?.evaluations.filter(({ example }) => example) ?? [];
  return (
    <div className="studies lab">
      <header className="page-head">
        <div>
          <h1>Lab</h1>
          <p className="hint">
            Explain a whole dataset in several ways, and measure which way says the truth about the model.
          </p>
        </div>
        <Link to="/lab/new" className={buttonLook({ kind: "strong", size: "medium" })}>
          New run
        </Link>
      </header>
      <Problem error={error} />
      {isPending && <p className="hint">Looking…</p>}
      {own.length > 0 && <Runs name="Your runs" runs={own} />}
      {examples.length > 0 && <Runs name="Examples" runs={examples} />}
    </div>
  );
}

function Runs({ name, runs }: { name: string; runs: EvaluationDocument[] }) {
  return (
    <section className="runs" aria-label={name}>
      <h2>{name}</h2>
      <ul className="study-list">
        {runs.map((run) => (
          <li key={run.id} className="study-card card">
            <div className="study-card-head">
              <Link to="/lab/$run" params={{ run: run.id }} className="study-title">
                {titleOf(run)}
              </Link>
              <span className={`status ${run.status}`}>{STATUS[run.status]}</span>
            </div>
            <p className="hint">
              {large(run.texts)} texts ({sourceOf(run.design)}) · {listed(run.design.models)} ·{" "}
              {explainedBy(run.design)}
            </p>
            {run.status === "running" && (
              <Meter
                label={`Progress of ${titleOf(run)}`}
                done={run.done}
                total={run.total}
                unit="measured"
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
