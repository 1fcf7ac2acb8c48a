import { extent } from "d3-array";
import type { MeanInterval } from "./documents";
import { number } from "./wording";

type Domain = readonly [number, number];

interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** A mean as a cell shows it. */
export const meanOf = ({ mean, low, high, n }: MeanInterval) => ({ value: mean, low, high, n });

/** One scale for a column, so that its bars can be compared. */
export function domainOf(intervals: readonly (Interval | undefined)[]): Domain {
  const ends = intervals.flatMap((interval) => {
    return [interval?.low ?? interval?.value, interval?.high ?? interval?.value].filter(
      (end): end is number => end !== null && end !== undefined,
    );
  });
  const [low = 0, high = 1] = extent([...ends, 0]) as [number, number];
  return high > low ? [low, high] : [low, low + 1];
}

/** A number over the bar of its interval. */
export function NumberCell({
  value,
  low,
  high,
  n,
  domain: [from, to],
  best = false,
  digits = 3,
  reason,
}: Interval & {
  n: number;
  domain: Domain;
  best?: boolean;
  digits?: number;
  /** Why there is no number, where that is known. */
  reason?: string | undefined;
}) {
  if (value === null)
    return (
      <td className="number" title={reason}>
        –
      </td>
    );
  const place = (end: number) => `${(100 * (end - from)) / (to - from)}%`;
  const said =
    low === null || high === null ? "" : `${number(low, digits)} to ${number(high, digits)}, n = ${n}`;
  return (
    <td className={`number with-bar${best ? " best" : ""}`} title={said}>
      <span className="value">{number(value, digits)}</span>
      {best && <span className="unseen"> best</span>}
      <span className="unseen"> {said}</span>
      {low !== null && high !== null && (
        <span className="bar" aria-hidden="true">
          <span
            className="reach"
            style={{ insetInlineStart: place(low), inlineSize: `${(100 * (high - low)) / (to - from)}%` }}
          />
          <span className="middle" style={{ insetInlineStart: place(value) }} />
        </span>
      )}
    </td>
  );
}
