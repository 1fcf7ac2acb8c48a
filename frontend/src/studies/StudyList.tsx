import { Link } from "@tanstack/react-router";
import { buttonLook } from "../controls/Button";
import { useTitle } from "../shell/useTitle";
import { useStudies } from "./api";
import type { StudyLine } from "./documents";
import { Meter } from "./Meter";
import { Problem } from "./Problem";
import { StatusMark } from "./StatusMark";
import "./studies.css";
import { counted, day, PROTOCOL } from "./wording";

/** `/studies`: every study with how far it is. */
export default function StudyList() {
  useTitle("Studies");
  const { data, error, isPending } = useStudies();
  return (
    <div className="studies">
      <header className="page-head">
        <h1>Studies</h1>
        {data && data.studies.length > 0 && <NewStudyLink />}
      </header>
      <Problem error={error} />
      {isPending && <p className="hint">Looking…</p>}
      {data?.studies.length === 0 && <NoStudies />}
      {data && data.studies.length > 0 && (
        <ul className="study-list">
          {data.studies.map((study) => (
            <StudyCard key={study.id} study={study} />
          ))}
        </ul>
      )}
    </div>
  );
}

const NewStudyLink = () => (
  <Link to="/studies/new" className={buttonLook({ kind: "strong", size: "medium" })}>
    New study
  </Link>
);

export function StudyCard({ study }: { study: StudyLine }) {
  return (
    <li className="study-card card">
      <div className="study-card-head">
        <Link to="/studies/$study" params={{ study: study.id }} className="study-title">
          {study.title}
        </Link>
        <StatusMark status={study.status} />
      </div>
      <p className="hint">
        {study.protocol === "preference" ? "Preference" : "Coherence"} · {counted(study.items, "text")} ·{" "}
        {day(study.created)}
      </p>
      <Meter label={`Answers of ${study.title}`} done={study.answered} total={study.needed} unit="answers" />
    </li>
  );
}

function NoStudies() {
  return (
    <section className="empty card">
      <h2>Ask people about explanations</h2>
      <dl>
        {Object.values(PROTOCOL).map(({ title, asks, example }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {asks} <span className="hint">{example}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        Choose texts, models and methods; the explanations are computed for you. Send people a link, and watch
        the results come in with their intervals and tests.
      </p>
      <NewStudyLink />
    </section>
  );
}
