import { USUAL_REFERENCE } from "../explanation";
import { CurvePlot, Legend } from "./CurvePlot";
import type { Curve, EvaluationDesign, EvaluationResults, MeasureColumn, TableLine } from "./documents";
import { broughtBy, lineName, number } from "./wording";

const SHARES = {
  name: "of the words",
  ticks: [0, 10, 20, 30, 40, 50],
  written: (tick: number) => `${tick} %`,
};

/** A measure against the share of words that is removed, one line for each method, in a band that holds its interval. */
export function Curves({ results, design }: { results: EvaluationResults; design: EvaluationDesign }) {
  const measures = results.measures.filter(({ has_curve }) => has_curve);
  if (measures.length === 0) return null;
  const names = new Map(results.lines.map((line) => [lineName(line, design), seriesOf(line, design)]));
  return (
    <section className="card" aria-labelledby="curves">
      <h2 id="curves">By share of words</h2>
      <Legend lines={[...names].map(([name, series]) => ({ name, series }))} />
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
  const drawn = lines
    .map((line) => ({ line, curve: line.curves.find((each) => each.measure === measure.name) }))
    .filter((each): each is { line: TableLine; curve: Curve } => each.curve !== undefined);
  if (drawn.length === 0) return null;
  const title = model ? `${measure.title} on ${model}` : measure.title;
  return (
    <CurvePlot
      title={title}
      mark={measure.better === "higher" ? "↑" : "↓"}
      axis={SHARES}
      said={inWords(title, drawn, design)}
      lines={drawn.map(({ line, curve }) => ({
        name: lineName(line, design),
        series: seriesOf(line, design),
        points: curve.points.map(({ percent, ...point }) => ({ at: percent, ...point })),
      }))}
    />
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
