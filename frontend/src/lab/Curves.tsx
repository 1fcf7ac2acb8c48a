import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, line as path } from "d3-shape";
import { useRef } from "react";
import { Button } from "../controls/Button";
import { USUAL_REFERENCE } from "../explanation";
import { save } from "../share/save";
import { standaloneSvg } from "../share/svg";
import type { Curve, EvaluationDesign, EvaluationResults, MeasureColumn, TableLine } from "./documents";
import { broughtBy, lineName, number } from "./wording";

const WIDTH = 420;
const HEIGHT = 250;
const EDGE = { top: 12, right: 14, bottom: 40, left: 52 };

/** A measure against the share of words that is removed, one line for each method, in a band that holds its interval. */
export function Curves({ results, design }: { results: EvaluationResults; design: EvaluationDesign }) {
  const measures = results.measures.filter(({ has_curve }) => has_curve);
  if (measures.length === 0) return null;
  return (
    <section className="card" aria-labelledby="curves">
      <h2 id="curves">By share of words</h2>
      <Legend lines={results.lines} design={design} />
      <div className="curves">
        {design.models.flatMap((model) =>
          measures.map((measure) => (
            <CurveFigure
              key={`${model} ${measure.name}`}
              model={design.models.length > 1 ? model : null}
              measure={measure}
              lines={results.lines.filter((line) => line.model === model)}
              design={design}
            />
          )),
        )}
      </div>
    </section>
  );
}

/** The colour of a line: the same for a method wherever it is drawn. */
export function seriesOf(line: Pick<TableLine, "method" | "reference">, design: EvaluationDesign): number {
  const references: readonly string[] = design.references ?? [USUAL_REFERENCE];
  if (line.method === "random-order") return 8;
  if (line.method === "best-order") return 9;
  const methods = design.methods ?? [];
  const brought = broughtBy(design).findIndex((name) => [name, `${name} (brought)`].includes(line.method));
  if (line.reference === "") return (methods.length * references.length + Math.max(0, brought)) % 8;
  const method = methods.findIndex(({ method }) => method === line.method);
  const reference = references.indexOf(line.reference);
  return (method * references.length + Math.max(0, reference)) % 8;
}

function Legend({ lines, design }: { lines: TableLine[]; design: EvaluationDesign }) {
  const names = new Map(lines.map((line) => [lineName(line, design), seriesOf(line, design)]));
  return (
    <ul className="legend">
      {[...names].map(([name, series]) => (
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

function CurveFigure({
  model,
  measure,
  lines,
  design,
}: {
  model: string | null;
  measure: MeasureColumn;
  lines: TableLine[];
  design: EvaluationDesign;
}) {
  const picture = useRef<SVGSVGElement>(null);
  const drawn = lines
    .map((line) => ({ line, curve: line.curves.find((each) => each.measure === measure.name) }))
    .filter((each): each is { line: TableLine; curve: Curve } => each.curve !== undefined);
  if (drawn.length === 0) return null;
  const title = model ? `${measure.title} on ${model}` : measure.title;
  const points = drawn.flatMap(({ curve }) => curve.points);
  const x = scaleLinear([0, 50], [EDGE.left, WIDTH - EDGE.right]);
  const reach = extent([...points.flatMap(({ low, mean, high }) => [low ?? mean, high ?? mean]), 0]);
  const y = scaleLinear(reach as [number, number], [HEIGHT - EDGE.bottom, EDGE.top]).nice(5);
  const keep = () => {
    const names = drawn.map(({ line }) => lineName(line, design)).join(", ");
    if (picture.current)
      save(
        `${title}.svg`,
        standaloneSvg(picture.current, { title, headline: title, caption: names }),
        "image/svg+xml",
      );
  };
  return (
    <figure className="curve-figure">
      <figcaption>
        {title} <span aria-hidden="true">{measure.better === "higher" ? "↑" : "↓"}</span>
        <Button kind="quiet" onClick={keep}>
          SVG<span className="unseen"> of {title}</span>
        </Button>
      </figcaption>
      <svg
        ref={picture}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={inWords(title, drawn, design)}
      >
        {y.ticks(5).map((tick) => (
          <g key={tick}>
            <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} className="rule" />
            <text x={EDGE.left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="tick">
              {y.tickFormat(5)(tick)}
            </text>
          </g>
        ))}
        {[0, 10, 20, 30, 40, 50].map((tick) => (
          <text key={tick} x={x(tick)} y={HEIGHT - EDGE.bottom + 16} textAnchor="middle" className="tick">
            {tick} %
          </text>
        ))}
        <text x={(EDGE.left + WIDTH - EDGE.right) / 2} y={HEIGHT - 6} textAnchor="middle" className="tick">
          of the words
        </text>
        {drawn.map(({ line, curve }) => (
          <g key={lineName(line, design)} className={`series-${seriesOf(line, design)}`}>
            <path
              className="band"
              d={
                area<Curve["points"][number]>(
                  (point) => x(point.percent),
                  (point) => y(point.low ?? point.mean),
                  (point) => y(point.high ?? point.mean),
                )(curve.points) ?? ""
              }
            />
            <path
              className="curve"
              d={
                path<Curve["points"][number]>(
                  (point) => x(point.percent),
                  (point) => y(point.mean),
                )(curve.points) ?? ""
              }
            />
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** What those read who do not see it: where each line is at a fifth of the words. */
function inWords(
  title: string,
  drawn: { line: TableLine; curve: Curve }[],
  design: EvaluationDesign,
): string {
  const said = drawn.map(({ line, curve }) => {
    const point = curve.points.find(({ percent }) => percent === 20);
    return `${lineName(line, design)} ${number(point?.mean)}`;
  });
  return `${title} by share of words; at 20 %: ${said.join(", ")}`;
}
