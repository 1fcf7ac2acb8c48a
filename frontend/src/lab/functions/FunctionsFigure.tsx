import { scaleLog } from "d3-scale";
import type { FittedFunction } from "../documents";
import { powers, written } from "./wording";

/** Small enough for a telephone to show it whole. */
const WIDTH = 440;
const NAMES = 40;
const ROW = 46;
const STEP = 13;
const FOOT = 30;

export const WAYS = [
  { part: "mahe", title: "MAHE", series: 0 },
  { part: "products", title: "Products of the inputs", series: 1 },
  { part: "known", title: "The model itself", series: 2 },
] as const;

/** Errors on a logarithmic axis, functions below each other; the strong line at 1 is where nothing is said. */
export function FunctionsFigure({
  title,
  fitted,
  reach: [least, most],
}: {
  title: string;
  fitted: readonly FittedFunction[];
  /** The same for all figures of a page. */
  reach: readonly [number, number];
}) {
  const x = scaleLog([least, most], [NAMES, WIDTH - 16]).clamp(true);
  const height = fitted.length * ROW;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height + FOOT}`}
      className="fits"
      role="img"
      aria-label={inWords(title, fitted)}
    >
      {powers(least, most).map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={0} y2={height} className={tick === 1 ? "mean" : "rule"} />
          <text x={x(tick)} y={height + 18} textAnchor="middle" className="tick">
            {tick}
          </text>
        </g>
      ))}
      {fitted.map((each, index) => (
        <g key={each.function} transform={`translate(0 ${index * ROW})`}>
          <text x={0} y={ROW / 2} dy="0.32em" className="row-name">
            {each.function}
          </text>
          {WAYS.map(({ part, title: way, series }, place) => {
            const { mean, low, high } = each[part];
            if (mean === null) return null;
            const y = ROW / 2 + STEP * (place - 1);
            return (
              <g key={part} className={`series-${series}`}>
                <title>{`${each.function}, ${way}: ${written(mean)}`}</title>
                {low !== null && high !== null && (
                  <line
                    x1={x(Math.max(low, least))}
                    x2={x(Math.max(high, least))}
                    y1={y}
                    y2={y}
                    className="reach"
                  />
                )}
                <circle cx={x(Math.max(mean, least))} cy={y} r={4.2} className="dot" />
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

const inWords = (title: string, fitted: readonly FittedFunction[]) =>
  `${title}. ${fitted
    .map(
      (each) =>
        `${each.function}: ${WAYS.map(({ part, title: way }) => `${way} ${written(each[part].mean)}`).join(", ")}`,
    )
    .join("; ")}`;
