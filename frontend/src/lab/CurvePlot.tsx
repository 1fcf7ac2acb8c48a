import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, line as path } from "d3-shape";
import { useRef } from "react";
import { Button } from "../controls/Button";
import { save } from "../share/save";
import { standaloneSvg } from "../share/svg";

const WIDTH = 420;
const HEIGHT = 250;
const EDGE = { top: 12, right: 14, bottom: 40, left: 52 };

export interface PlotPoint {
  at: number;
  mean: number;
  low: number | null;
  high: number | null;
}

export interface PlotLine {
  name: string;
  /** The number of its colour and dashes. */
  series: number;
  points: readonly PlotPoint[];
}

interface Axis {
  name: string;
  ticks: readonly number[];
  written(tick: number): string;
}

/** Means along an axis, a line for each series in a band that holds its interval. */
export function CurvePlot({
  title,
  mark = "",
  lines,
  axis,
  least = 0,
  said,
}: {
  title: string;
  /** Which direction is better, where one is. */
  mark?: string;
  lines: readonly PlotLine[];
  axis: Axis;
  /** A value that is always in sight. */
  least?: number;
  /** For those who do not see it. */
  said: string;
}) {
  const picture = useRef<SVGSVGElement>(null);
  const points = lines.flatMap((line) => line.points);
  const x = scaleLinear(extent(axis.ticks) as [number, number], [EDGE.left, WIDTH - EDGE.right]);
  const reach = extent([...points.flatMap(({ low, mean, high }) => [low ?? mean, high ?? mean]), least]);
  const y = scaleLinear(reach as [number, number], [HEIGHT - EDGE.bottom, EDGE.top]).nice(5);
  const keep = () => {
    const caption = lines.map(({ name }) => name).join(", ");
    if (picture.current)
      save(
        `${title}.svg`,
        standaloneSvg(picture.current, { title, headline: title, caption }),
        "image/svg+xml",
      );
  };
  return (
    <figure className="curve-figure">
      <figcaption>
        {title} {mark && <span aria-hidden="true">{mark}</span>}
        <Button kind="quiet" onClick={keep}>
          SVG<span className="unseen"> of {title}</span>
        </Button>
      </figcaption>
      <svg ref={picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
        {y.ticks(5).map((tick) => (
          <g key={tick}>
            <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} className="rule" />
            <text x={EDGE.left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="tick">
              {y.tickFormat(5)(tick)}
            </text>
          </g>
        ))}
        {axis.ticks.map((tick) => (
          <text key={tick} x={x(tick)} y={HEIGHT - EDGE.bottom + 16} textAnchor="middle" className="tick">
            {axis.written(tick)}
          </text>
        ))}
        <text x={(EDGE.left + WIDTH - EDGE.right) / 2} y={HEIGHT - 6} textAnchor="middle" className="tick">
          {axis.name}
        </text>
        {lines.map((line) => (
          <g key={line.name} className={`series-${line.series}`}>
            <path
              className="band"
              d={
                area<PlotPoint>(
                  (point) => x(point.at),
                  (point) => y(point.low ?? point.mean),
                  (point) => y(point.high ?? point.mean),
                )(line.points) ?? ""
              }
            />
            <path
              className="curve"
              d={
                path<PlotPoint>(
                  (point) => x(point.at),
                  (point) => y(point.mean),
                )(line.points) ?? ""
              }
            />
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** Which line is whose. */
export function Legend({ lines }: { lines: readonly Pick<PlotLine, "name" | "series">[] }) {
  return (
    <ul className="legend">
      {lines.map(({ name, series }) => (
        <li key={name}>
          <svg width="26" height="10" aria-hidden="true" className={`series-${series}`}>
            <line x1="1" x2="25" y1="5" y2="5" className="curve" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
