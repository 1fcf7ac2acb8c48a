import type { Preference, Share } from "../documents";
import { pValue } from "../wording";
import { type Interval, IntervalPlot } from "./IntervalPlot";
import { Scroll } from "./Scroll";

const asRow = (name: string, share: Share): Interval => ({
  name,
  count: share.count,
  total: share.of,
  share: share.share,
  low: share.low,
  high: share.high,
});

/** Majorities, votes, and whether the place on the screen mattered; then the test, named. */
export function PreferencePlots({ preference }: { preference: Preference[] }) {
  const [any] = preference;
  if (!any) return null;
  const named = (entry: Preference) => entry.model ?? "all models";
  return (
    <>
      <IntervalPlot
        caption={`Texts whose majority prefers ${any.second} to ${any.first}`}
        heading="Model"
        counted="Majorities"
        chance={0.5}
        rows={preference.map((entry) => asRow(named(entry), entry.majorities))}
      />
      <IntervalPlot
        caption={`Single votes for ${any.second}`}
        heading="Model"
        counted="Votes"
        chance={0.5}
        rows={preference.map((entry) => asRow(named(entry), entry.votes))}
      />
      <IntervalPlot
        caption="Votes for whatever stood first; about half, unless the place mattered"
        heading="Model"
        counted="Votes"
        chance={0.5}
        rows={preference.map((entry) => asRow(named(entry), entry.shown_first))}
      />
      <Scroll name="Tests of the majorities">
        <table className="tests">
          <caption>Are the majorities more than half? Ties are not counted.</caption>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" className="number">
                Ties
              </th>
              <th scope="col" className="number">
                Exact binomial, two-sided
              </th>
              <th scope="col" className="number">
                Exact binomial, one-sided
              </th>
              <th scope="col" className="number">
                Normal approximation, one-sided
              </th>
            </tr>
          </thead>
          <tbody>
            {preference.map((entry) => (
              <tr
                key={named(entry)}
                data-name={named(entry)}
                data-exact-two-sided={entry.test.exact_two_sided ?? ""}
                data-exact-one-sided={entry.test.exact_one_sided ?? ""}
              >
                <th scope="row">{named(entry)}</th>
                <td className="number">{entry.ties}</td>
                <td className="number strong">{pValue(entry.test.exact_two_sided)}</td>
                <td className="number">{pValue(entry.test.exact_one_sided)}</td>
                <td className="number">{pValue(entry.test.normal_one_sided)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
