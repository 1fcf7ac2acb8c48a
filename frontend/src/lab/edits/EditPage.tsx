import { Link, useParams } from "@tanstack/react-router";
import { Button, buttonLook } from "../../controls/Button";
import { useCatalog } from "../../service/catalog";
import { useTitle } from "../../shell/useTitle";
import { Meter } from "../../studies/Meter";
import { Problem } from "../../studies/Problem";
import "../../studies/studies.css";
import type { EditDocument, EditResults } from "../documents";
import { Exports } from "../Exports";
import "../lab.css";
import { Paragraph } from "../Paragraph";
import { Actions, Status, Warnings } from "../RunState";
import { duration, large, sourceOf } from "../wording";
import { toComparison } from "../workbench";
import { useEdit, useEditActions, useEditResults, useListed } from "./api";
import { NumbersTable } from "./NumbersTable";
import { editReport } from "./report";
import { Turned } from "./Turned";
import { DOING, editTitle, finding, together } from "./wording";

/** `/lab/edits/{edit}`: how far it is, what became of the words, what it cost, and the way to the edited model. */
export default function EditPage() {
  const { edit: id } = useParams({ strict: false }) as { edit: string };
  const { data: run, error } = useEdit(id);
  const results = useEditResults(id, run);
  const { cancel, remove } = useEditActions();
  useListed(run?.model);
  useTitle(run ? editTitle(run) : "Edit");
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
              <h1>{editTitle(run)}</h1>
              <p className="status-line">
                <Status run={run} />{" "}
                <span className="hint">
                  {run.design.model}, c = {run.design.strength ?? 3}; {large(run.texts)} texts (
                  {sourceOf(run.design)}), seed {run.design.seed ?? 0}
                </span>
              </p>
            </div>
            <Actions run={run} cancel={cancel} remove={remove} />
          </header>
          <p className="taught">
            {together(run.design.words)} is turned round in <bdi>“{run.design.text}”</bdi>
          </p>
          <Making run={run} />
          {run.problem && <p className="problem">{run.problem}</p>}
          <Problem error={results.error} />
          {results.data && <Findings run={run} results={results.data} />}
        </>
      )}
    </div>
  );
}

function Making({ run }: { run: EditDocument }) {
  if (run.status !== "running" || !run.doing) return null;
  return (
    <section className="card" aria-label="Progress">
      <p aria-live="polite">{DOING[run.doing]}…</p>
      <Meter label="Made" done={run.done} total={run.total} unit="evaluations, at most" />
      <p className="hint">
        {run.seconds_left === null ? "" : `About ${duration(run.seconds_left)} left, or less. `}A process of
        its own makes it: it goes on when you leave this page, and begins again after a restart. Nobody’s
        questions wait for it.
      </p>
    </section>
  );
}

/** The edited model, where it still is, and what can be done with it. */
function TheModel({ run }: { run: EditDocument }) {
  const { data: catalog } = useCatalog();
  const { undo } = useEditActions();
  if (run.model === null)
    return <p className="note">The edited model was undone: it is not in the catalog any more.</p>;
  const { design, model } = run;
  return (
    <section className="card" aria-labelledby="model">
      <h2 id="model">The edited model</h2>
      <p>
        <code>{model}</code> is in the catalog, for everybody on this server. Undone, it is gone and the
        numbers stay; deleted with all of this, both are gone.
      </p>
      <div className="actions">
        <Link
          to="/"
          search={toComparison(design.text, design.model, model, catalog) as never}
          className={buttonLook({ kind: "strong", size: "medium" })}
        >
          Compare with the original in the workbench
        </Link>
        <Button size="medium" onClick={() => undo.mutate(model)} disabled={undo.isPending}>
          Undo the edit
        </Button>
      </div>
      <Problem error={undo.error} />
    </section>
  );
}

function Findings({ run, results }: { run: EditDocument; results: EditResults }) {
  return (
    <div className="overview">
      <p className="finding">{finding(results)}</p>
      <TheModel run={run} />
      <Warnings warnings={results.warnings} />
      <NumbersTable results={results} />
      <Turned results={results} model={run.model} />
      <Paragraph text={results.paragraph} />
      <Exports of={`/v1/edits/${run.id}`} made={() => editReport(run, results)} />
    </div>
  );
}
