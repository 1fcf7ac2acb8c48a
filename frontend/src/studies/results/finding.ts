import type { Coherence, ResultsDocument } from "../documents";
import { counted } from "../wording";

/** The first thing to know, in a sentence that says no more than the intervals allow. */
export function finding(results: ResultsDocument): string {
  if (results.answers === 0) return "No answers yet.";
  return results.protocol === "coherence" ? coherenceFinding(results) : preferenceFinding(results);
}

function coherenceFinding({ coherence, comparisons }: ResultsDocument): string {
  const byMethod = coherence.filter((entry) => entry.method !== null && entry.coherent.share !== null);
  const margins = byMethod.filter((entry) => entry.model === null);
  const compared = (margins.length > 0 ? margins : byMethod).sort((a, b) => shareOf(b) - shareOf(a));
  const [best, second] = compared;
  if (!best) return "No answers that count yet.";
  const said = `From what ${best.method} shows, people guess the model’s answer ${percent(best.coherent.share)} of the time`;
  if (!second) return `${said} (${percent(best.coherent.low)} to ${percent(best.coherent.high)}).`;
  const tested = comparisons.filter(
    ({ family, first, second: other }) =>
      family === "methods" &&
      [best.method, second.method].includes(first) &&
      [best.method, second.method].includes(other),
  );
  const certain = tested.length > 0 && tested.every(({ mcnemar_holm: p }) => p !== null && p < 0.05);
  return `${said}, from ${second.method} ${percent(second.coherent.share)}${
    certain ? "." : "; the difference could be chance."
  }`;
}

const percent = (share: number | null): string => (share === null ? "–" : `${Math.round(100 * share)}%`);

const shareOf = (entry: Coherence): number => entry.coherent.share ?? 0;

function preferenceFinding({ preference }: ResultsDocument): string {
  const all = preference.find((entry) => entry.model === null) ?? preference[0];
  if (!all || all.majorities.share === null) return "No text has a majority yet.";
  const { count, of } = all.majorities;
  const p = all.test.exact_two_sided;
  const weighed =
    p === null
      ? ""
      : p < 0.05
        ? `, more than chance would give (p = ${p.toFixed(3)})`
        : `, which could be chance (p = ${p.toFixed(3)})`;
  return `The majority prefers ${all.second} to ${all.first} for ${count} of ${counted(of, "text")}${weighed}.`;
}
