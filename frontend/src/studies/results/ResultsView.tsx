import { CopyButton } from "../../controls/CopyButton";
import type { ResultsDocument } from "../documents";
import { counted, decimals, seconds } from "../wording";
import { CoherencePlots } from "./CoherencePlots";
import { finding } from "./finding";
import { PairedTests } from "./PairedTests";
import { PreferencePlots } from "./PreferencePlots";

/** What a study found, drawn from its results and nothing else. */
export function ResultsView({ results, classes }: { results: ResultsDocument; classes: string[] }) {
  const { agreement, times, attention } = results;
  if (results.answers === 0) return <NoAnswers />;
  return (
    <>
      {results.simulated && (
        <p className="note">
          Rehearsal: these are answers of simulated people. They say nothing about the explanations.
        </p>
      )}
      <section className="card" aria-label="Findings">
        <p className="finding">{finding(results)}</p>
        {results.protocol === "coherence" ? (
          <CoherencePlots coherence={results.coherence} chance={1 / classes.length} />
        ) : (
          <PreferencePlots preference={results.preference} />
        )}
        <p className="hint">
          Dots are shares, whiskers 95% Wilson intervals, the dashed line is what guessing would reach.
        </p>
      </section>
      {results.comparisons.length > 0 && (
        <section className="card" aria-label="Comparisons">
          <h2>Comparisons</h2>
          <PairedTests tests={results.comparisons} />
        </section>
      )}
      <section className="card" aria-label="Quality">
        <h2>Quality of the answers</h2>
        <dl className="tiles">
          <Tile name="People" value={String(results.people)} says={counted(results.answers, "answer")} />
          <Tile
            name="Agreement"
            value={decimals(agreement.alpha)}
            says={`Krippendorff’s α, ${counted(agreement.units, "unit")}${
              agreement.fleiss === null ? "" : `; Fleiss’ κ ${decimals(agreement.fleiss)}`
            }`}
          />
          <Tile
            name="Time for a screen"
            value={seconds(times.median)}
            says={`median; half between ${seconds(times.lower_quartile)} and ${seconds(times.upper_quartile)}`}
          />
          <Tile
            name="Attention checks"
            value={attention.of === 0 ? "–" : `${attention.of - attention.count} wrong`}
            says={`of ${counted(attention.of, "answer")} to them`}
          />
        </dl>
      </section>
      <section className="card" aria-label="Methods paragraph">
        <div className="card-head">
          <h2>For the paper</h2>
          <CopyButton text={results.paragraph} />
        </div>
        <p className="paragraph">{results.paragraph}</p>
      </section>
    </>
  );
}

/** Tables of dashes would say no more. */
const NoAnswers = () => (
  <section className="card" aria-label="Findings">
    <p className="finding">No answers yet.</p>
    <p className="hint">They are counted here as they come in. A rehearsal shows what that looks like.</p>
  </section>
);

const Tile = ({ name, value, says }: { name: string; value: string; says: string }) => (
  <div className="tile">
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      <span className="hint">{says}</span>
    </dd>
  </div>
);
