import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonLook } from "../controls/Button";
import { problemOf } from "../service/problem";
import { useTitle } from "../shell/useTitle";
import { Meter } from "../studies/Meter";
import { Problem } from "../studies/Problem";
import "../studies/studies.css";
import { useRuns } from "./api";
import { useDiagnoses } from "./diagnosis/api";
import { diagnosisTitle, foundOut } from "./diagnosis/wording";
import type { DiagnosisDocument, EditDocument, EvaluationDocument, RunDocument } from "./documents";
import { useEdits } from "./edits/api";
import { EditedModels } from "./edits/EditedModels";
import { editedHow, editTitle } from "./edits/wording";
import "./lab.css";
import { Status } from "./RunState";
import { explainedBy, large, listed, sourceOf, titleOf } from "./wording";

/** `/lab`: runs of one's own, and those that came with the project. */
export default function LabList() {
  useTitle("Lab");
  const { data, error, isPending } = useRuns();
  const diagnoses = useDiagnoses();
  const edits = useEdits();
  // Where keys are, models are edited by admins: others have nothing to see here, and nothing went wrong.
  const mayAsk = problemOf(edits.error).status !== 403;
  const [own, examples] = parted(data?.evaluations ?? []);
  const [diagnosed, exampleDiagnoses] = parted(diagnoses.data?.diagnoses ?? []);
  return (
    <div className="studies lab">
      <header className="page-head">
        <div>
          <h1>Lab</h1>
          <p className="hint">
            Explain a whole dataset in several ways, and measure which way says the truth about the model;
            find out by its explanations how a model works; or turn round what words do together in it.
          </p>
        </div>
        <div className="actions">
          <Link to="/lab/new" className={buttonLook({ kind: "strong", size: "medium" })}>
            New run
          </Link>
          <Link to="/lab/diagnoses/new" className={buttonLook({ size: "medium" })}>
            New diagnosis
          </Link>
          {edits.data && (
            <Link to="/lab/edits/new" className={buttonLook({ size: "medium" })}>
              New edit
            </Link>
          )}
        </div>
      </header>
      <Problem error={error ?? diagnoses.error ?? (mayAsk ? edits.error : null)} />
      {isPending && <p className="hint">Looking…</p>}
      {own.length > 0 && <Runs name="Your runs" runs={own} />}
      {diagnosed.length > 0 && <Diagnoses name="Your diagnoses" runs={diagnosed} />}
      {edits.data && edits.data.edits.length > 0 && <Edits runs={edits.data.edits} />}
      <EditedModels
        models={
          edits.data?.models.filter(({ edit }) => !edits.data.edits.some(({ id }) => id === edit)) ?? []
        }
      />
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
        <RunCard key={run.id} run={run} title={titleOf(run)} said={saidOf(run, explainedBy(run.design))}>
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
        <RunCard key={run.id} run={run} title={diagnosisTitle(run)} said={saidOf(run, foundOut(run.design))}>
          <Link to="/lab/diagnoses/$diagnosis" params={{ diagnosis: run.id }} className="study-title">
            {diagnosisTitle(run)}
          </Link>
        </RunCard>
      ))}
    </RunCards>
  );
}

function Edits({ runs }: { runs: EditDocument[] }) {
  return (
    <RunCards name="Your edits">
      {runs.map((run) => (
        <RunCard
          key={run.id}
          run={run}
          title={editTitle(run)}
          said={`${large(run.texts)} texts (${sourceOf(run.design)}) · ${editedHow(run.design)}`}
          unit="evaluations, at most"
        >
          <Link to="/lab/edits/$edit" params={{ edit: run.id }} className="study-title">
            {editTitle(run)}
          </Link>
        </RunCard>
      ))}
    </RunCards>
  );
}

/** Of what a run is, on what, and what is done with it. */
const saidOf = ({ texts, design }: EvaluationDocument | DiagnosisDocument, done: string) =>
  `${large(texts)} texts (${sourceOf(design)}) · ${listed(design.models)} · ${done}`;

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
  unit = "measured",
  children,
}: {
  run: RunDocument;
  title: string;
  said: string;
  /** What its progress is counted in. */
  unit?: string;
  children: ReactNode;
}) {
  return (
    <li className="study-card card">
      <div className="study-card-head">
        {children}
        <Status run={run} />
      </div>
      <p className="hint">{said}</p>
      {run.status === "running" && (
        <Meter label={`Progress of ${title}`} done={run.done} total={run.total} unit={unit} />
      )}
    </li>
  );
}
