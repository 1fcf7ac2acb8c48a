import { Link, useParams } from "@tanstack/react-router";
import { useTitle } from "../shell/useTitle";
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
import { measureReport } from "./measureReport";
import { Paragraph } from "./Paragraph";
import { Actions, Status, UnderWay, Warnings } from "./RunState";
import { sentencesOf } from "./runSentences";
import { large, sourceOf, titleOf } from "./wording";

/** `/lab/{run}`: the table first, then curves, sentences, agreement, and what to take home. */
export default function RunPage() {
  const { run: id } = useParams({ strict: false }) as { run: string };
  const { data: run, error } = useRun(id);
  const results = useResults(id, run);
  const { cancel, remove } = useActions();
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
                <Status run={run} />{" "}
                <span className="hint">
                  {large(run.texts)} texts ({sourceOf(run.design)}), seed {run.design.seed ?? 0},{" "}
                  {large(run.evaluations)} evaluations
                  {results.data?.shared ? `; sharing saved ${shared(results.data.shared)}` : ""}
                </span>
              </p>
            </div>
            {!run.example && <Actions run={run} cancel={cancel} remove={remove} />}
          </header>
          <UnderWay run={run} />
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

function Findings({ run, results }: { run: EvaluationDocument; results: EvaluationResults }) {
  return (
    <div className="overview">
      <Warnings warnings={results.warnings} />
      {run.design.models.map((model) => (
        <MeasureTable key={model} model={model} results={results} design={run.design} />
      ))}
      <Curves results={results} design={run.design} />
      <Distribution run={sentencesOf(run, results)} />
      <AgreementTable results={results} />
      <Paragraph text={results.paragraph} />
      <Exports of={`/v1/evaluations/${run.id}`} made={() => measureReport(run, results)} />
    </div>
  );
}
