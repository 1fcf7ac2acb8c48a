import { Link, useParams } from "@tanstack/react-router";
import { buttonLook } from "../../controls/Button";
import { useTitle } from "../../shell/useTitle";
import { Problem } from "../../studies/Problem";
import "../../studies/studies.css";
import { Distribution } from "../Distribution";
import type { DiagnosisDocument, DiagnosisResults } from "../documents";
import { Exports } from "../Exports";
import "../lab.css";
import { Paragraph } from "../Paragraph";
import { Actions, Status, UnderWay, Warnings } from "../RunState";
import { large, sourceOf } from "../wording";
import { useDiagnosis, useDiagnosisActions, useDiagnosisResults } from "./api";
import { ContextFreeTable } from "./ContextFreeTable";
import { ContrastTables } from "./ContrastTables";
import { Depths } from "./Depths";
import { diagnosisSentences } from "./diagnosisSentences";
import { FitTable } from "./FitTable";
import { LinearityTable } from "./LinearityTable";
import { Overfitting } from "./Overfitting";
import { diagnosisReport } from "./report";
import { diagnosisTitle, foundOut, isScored, keptInMind, trainedOn } from "./wording";

/** `/lab/diagnoses/{diagnosis}`: what was found out about each model, and what to take home. */
export default function DiagnosisPage() {
  const { diagnosis: id } = useParams({ strict: false }) as { diagnosis: string };
  const { data: run, error } = useDiagnosis(id);
  const results = useDiagnosisResults(id, run);
  const { cancel, remove } = useDiagnosisActions();
  useTitle(run ? diagnosisTitle(run) : "Diagnosis");
  const found = results.data?.models.some(({ texts }) => texts > 0);
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
              <h1>{diagnosisTitle(run)}</h1>
              <p className="status-line">
                <Status run={run} />{" "}
                <span className="hint">
                  {foundOut(run.design)}; {large(run.texts)} texts ({sourceOf(run.design)}){trainedOn(run)},
                  seed {run.design.seed ?? 0}, {large(run.evaluations)} evaluations
                </span>
              </p>
            </div>
            {!run.example && <Actions run={run} cancel={cancel} remove={remove} />}
          </header>
          <UnderWay run={run} />
          {run.problem && <p className="problem">{run.problem}</p>}
          <Problem error={results.error} />
          {results.data && found && <Findings run={run} results={results.data} />}
          {results.isPending && <p className="hint">Drawing texts for the intervals…</p>}
          {results.data && !found && <p className="hint">Nothing is found out yet.</p>}
        </>
      )}
    </div>
  );
}

function Findings({ run, results }: { run: DiagnosisDocument; results: DiagnosisResults }) {
  return (
    <div className="overview">
      <Warnings warnings={keptInMind(results)} />
      <LinearityTable results={results} linear={run.design.linear ?? ""} />
      <Depths results={results} />
      <ContrastTables results={results} />
      <Overfitting results={results} />
      <FitTable results={results} />
      <ContextFreeTable results={results} />
      {results.quantities.length > 0 && <Distribution run={diagnosisSentences(run, results)} />}
      <Paragraph text={results.paragraph} />
      <Exports of={`/v1/diagnoses/${run.id}`} made={() => diagnosisReport(run, results)}>
        {isScored(run.design) && (
          <a className={buttonLook()} href={`/v1/diagnoses/${run.id}/picture.svg`} download>
            Picture, SVG
          </a>
        )}
      </Exports>
    </div>
  );
}
