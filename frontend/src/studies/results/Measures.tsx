import { Link } from "@tanstack/react-router";
import { Button, buttonLook } from "../../controls/Button";
import { type Counting, countingQuery, exportAddress, useMeasures, useMeasuring } from "../api";
import type { PeopleAndMeasures } from "../documents";
import { Meter } from "../Meter";
import { Problem } from "../Problem";
import { counted } from "../wording";
import { CorrelationTable } from "./CorrelationTable";
import { MeasureScatter } from "./MeasureScatter";

type Props = { study: string; counting: Counting; answers: number; chance: number };

/** Do explanations that measure well also tell people what the model predicts? */
export function Measures({ study, counting, answers, chance }: Props) {
  const { data, error } = useMeasures(study, counting, answers);
  const measuring = useMeasuring(study);
  const running = data?.run?.status === "running";
  return (
    <section className="card" aria-labelledby="measures-beside-people">
      <h2 id="measures-beside-people">Measures beside people</h2>
      <Problem error={error ?? measuring.error} />
      {data && !data.run && <NotMeasured data={data} />}
      {data?.run && running && (
        <Meter label="Measured" done={data.run.done} total={data.run.total} unit="texts measured" />
      )}
      {data?.run && !running && <Found data={data} chance={chance} />}
      <div className="actions measure-actions">
        {data && offersMeasuring(data) && (
          <Button size="medium" disabled={measuring.isPending} onClick={() => measuring.mutate()}>
            {data.run ? "Measure again" : "Measure the items"}
          </Button>
        )}
        {data?.run && (
          <Link to="/lab/$run" params={{ run: data.run.evaluation }} className={buttonLook()}>
            The run in the Lab
          </Link>
        )}
        {data?.run && !running && (
          <a
            className={buttonLook()}
            href={exportAddress(study, "measures.csv", countingQuery(counting))}
            download
          >
            Items and measures, CSV
          </a>
        )}
      </div>
    </section>
  );
}

/** Again only where something is missing: the same items measure the same. */
const offersMeasuring = ({ run, unmeasured }: PeopleAndMeasures) =>
  !run || (run.status !== "running" && (run.status !== "finished" || Object.keys(unmeasured).length > 0));

const NotMeasured = ({ data }: { data: PeopleAndMeasures }) => (
  <p className="hint">
    The Lab can measure the same items (AOPC, phrase deletion, cohesion and others), so that you see whether
    good numbers go with right guesses. It asks the models about at most{" "}
    {counted(data.expected_evaluations ?? 0, "text")}, in the background.
  </p>
);

function Found({ data, chance }: { data: PeopleAndMeasures; chance: number }) {
  const models = [...new Set(data.correlations.map(({ model }) => model))];
  return (
    <>
      <p className="finding">{data.says || "No answers to compare with."}</p>
      {models.map((model) => (
        <CorrelationTable key={model} model={model} data={data} titled={models.length > 1} />
      ))}
      {models.length > 0 && (
        <p className="hint">
          Spearman’s ρ between a measure and the share of right guesses, with its 95% bootstrap interval over
          texts. Bold is what holds after Holm’s correction over all of them; the rest could be chance. Where
          lower is better (↓), a negative ρ goes with people.
        </p>
      )}
      <Unmeasured unmeasured={data.unmeasured} />
      {data.items.length > 0 && <MeasureScatter data={data} chance={chance} />}
    </>
  );
}

const Unmeasured = ({ unmeasured }: { unmeasured: Record<string, number> }) =>
  Object.entries(unmeasured).map(([reason, count]) => (
    <p key={reason} className="hint">
      {counted(count, "item")} left out: {reason}.
    </p>
  ));
