import { useState } from "react";
import { Radio } from "../../controls/inputs";
import { type Counting, useResults } from "../api";
import type { StudyDocument } from "../documents";
import type { Actions } from "../Lifecycle";
import { Problem } from "../Problem";
import { Exclusions } from "./Exclusions";
import { Exports } from "./Exports";
import { Measures } from "./Measures";
import { People } from "./People";
import { Rehearse } from "./Rehearse";
import { ResultsView } from "./ResultsView";

/** The results as they come in, of real people or of a rehearsal. */
export function Results({ study, actions }: { study: StudyDocument; actions: Actions }) {
  const rehearsed = study.people.arrived === 0 && study.people.simulated > 0;
  const [counting, setCounting] = useState<Counting>({ simulated: rehearsed, keep: [] });
  const { data, error } = useResults(study.id, counting);
  return (
    <div className="overview">
      {(study.people.simulated > 0 || counting.simulated) && (
        <fieldset className="segments">
          <legend className="unseen">Whose answers</legend>
          {[false, true].map((simulated) => (
            <label key={String(simulated)}>
              <Radio
                name="whose"
                value={String(simulated)}
                checked={counting.simulated === simulated}
                onChoose={() => setCounting({ ...counting, simulated })}
              />
              <span>{simulated ? "Rehearsal" : "Real people"}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Problem error={error} />
      {data && <ResultsView results={data} classes={study.classes} />}
      {data && data.protocol === "coherence" && data.answers > 0 && (
        <Measures
          study={study.id}
          counting={counting}
          answers={data.answers}
          chance={1 / study.classes.length}
        />
      )}
      {data && (
        <section className="card">
          <Exclusions
            exclusions={data.exclusions}
            keep={counting.keep}
            onKeep={(keep) => setCounting({ ...counting, keep })}
          />
        </section>
      )}
      <People study={study.id} simulated={counting.simulated} actions={actions} />
      <Exports study={study.id} counting={counting} />
      <Rehearse
        study={study}
        actions={actions}
        onStarted={() => setCounting({ ...counting, simulated: true })}
      />
    </div>
  );
}
