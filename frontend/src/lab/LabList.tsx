import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonLook } from "../controls/Button";
import { useTitle } from "../shell/useTitle";
import { Meter } from "../studies/Meter";
import { Problem } from "../studies/Problem";
import "../studies/studies.css";
import { useRuns } from "./api";
import { useDiagnoses } from "./diagnosis/api";
import { diagnosisTitle, foundOut } from "./diagnosis/wording";
import type { DiagnosisDocument, EvaluationDocument } from "./documents";
import "./lab.css";
import { Status } from "./RunState";
import { explainedBy, large, listed, sourceOf, titleOf } from "./wording";

/** `/lab`: runs of one's own, and those that came with the project. */
export default function LabList() {
  useTitle("Lab");
  const { data, error, isPending } = useRuns();
  const diagnoses = useDiagnoses();
  const [own, examples] = parted(data?.evaluations ?? []);
  const [diagnosed, exampleDiagnoses] = parted(diagnoses.data?.diagnoses ?? []);
  return (
    <div className="studies lab">
      <header className="page-head">
        <div>
          <h1>Lab</h1>
          <p className="hint">
            Explain a whole dataset in several ways, and measure which way says the truth about the model; or
            find out by its explanations how a model works.
          </p>
        </div>
        <div className="actions">
          <Link to="/lab/new" className={buttonLook({ kind: "strong", size: "medium" })}>
            New run
          </Link>
          <Link to="/lab/diagnoses/new" className={buttonLook({ size: "medium" })}>
            New diagnosis
          </Link>
        </div>
      </header>
      <Problem error={error ?? diagnoses.error} />
      {isPending && <p className="hint">Looking…</p>}
      {own.length > 0 && <Runs name="Your runs" runs={own} />}
      {diagnosed.length > 0 && <Diagnoses name="Your diagnoses" runs={diagnosed} />}
      {examples.length > 0 && <Runs name="Examples" runs={examples} />}
      {exampleDiagnoses.length > 0 && <Diagnoses name="Example of a diagnosis" runs={exampleDiagnoses} />}
      <RunCards name="Where the truth is known">
        <li className="study-card card">
          <div className="study-card-head">
            <Link to="/lab/functions" className="study-title">
              How well MAHE fits interactions that are known
            </Link>
          </div>
          <p className="hint">
            Four functions of ten numbers, and models that have learnt them: the paper’s Figure 3a
          </p>
        </li>
      </RunCards>
    </div>
  );
}

/** One’s own, and those that came with the project. */
const parted = <Run extends { example: boolean }>(runs: readonly Run[]): [Run[], Run[]] => [
  runs.filter(({ example }) => !example),
  runs.filter(({ example }) => example),
];

function Runs({ name, runs }: { name: string; runs: EvaluationDocument[] }) {
  return (
    <RunCards name={name}>
      {runs.map((run) => (
        <RunCard key={run.id} run={run} title={titleOf(run)} said={explainedBy(run.design)}>
          <Link to="/lab/$run" params={{ run: run.id }} className="study-title">
            {titleOf(run)}
          </Link>
        </RunCard>
      ))}
    </RunCards>
  );
}

function Diagnoses({ name, runs }: { name: string; runs: DiagnosisDocument[] }) {
  return (
    <RunCards name={name}>
      {runs.map((run) => (
        <RunCard key={run.id} run={run} title={diagnosisTitle(run)} said={foundOut(run.design)}>
          <Link to="/lab/diagnoses/$diagnosis" params={{ diagnosis: run.id }} className="study-title">
            {diagnosisTitle(run)}
          </Link>
        </RunCard>
      ))}
    </RunCards>
  );
}

function RunCards({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="runs" aria-label={name}>
      <h2>{name}</h2>
      <ul className="study-list">{children}</ul>
    </section>
  );
}

function RunCard({
  run,
  title,
  said,
  children,
}: {
  run: EvaluationDocument | DiagnosisDocument;
  title: string;
  /** What is done with texts and models. */
  said: string;
  children: ReactNode;
}) {
  return (
    <li className="study-card card">
      <div className="study-card-head">
        {children}
        <Status run={run} />
      </div>
      <p className="hint">
        {large(run.texts)} texts ({sourceOf(run.design)}) · {listed(run.design.models)} · {said}
      </p>
      {run.status === "running" && (
        <Meter label={`Progress of ${title}`} done={run.done} total={run.total} unit="measured" />
      )}
    </li>
  );
}
