import { Scroll } from "../studies/results/Scroll";
import type { EvaluationDesign, EvaluationResults, MeasureColumn, TableLine } from "./documents";
import { domainOf, meanOf, NumberCell } from "./NumberCell";
import { OperatorTable } from "./OperatorTable";
import { large, lineName, listed, number } from "./wording";

/** What the search looked for decides whose best it is. */
const BEST_ORDER =
  "Best order found: of each text, the order that loses most over all steps together (for sufficiency, the " +
  "one that keeps most); at 20 % alone another one may be better.";

/** Rows are methods, columns measures; intervals lie as bars behind the numbers, and the price stands beside them. */
export function MeasureTable({
  model,
  results,
  design,
}: {
  model: string;
  results: EvaluationResults;
  design: EvaluationDesign;
}) {
  const lines = results.lines.filter((line) => line.model === model);
  const heading = `table-${model}`;
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>{model}</h2>
      <Scroll name={`Measures on ${model}`}>
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Method</th>
              {results.measures.map((column) => (
                <th key={column.name} scope="col" className="number" title={column.description}>
                  {column.title} <Better column={column} />
                </th>
              ))}
              <th
                scope="col"
                className="number"
                title="Different texts the model was asked about, for one explanation"
              >
                Evaluations
              </th>
              <th scope="col" className="number">
                Seconds
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={lineName(line, design)} className={line.baseline ? "baseline" : undefined}>
                <th scope="row">{lineName(line, design)}</th>
                {line.cells.map((cell, index) => (
                  <NumberCell
                    key={cell.measure}
                    {...meanOf(cell.interval)}
                    best={cell.best ?? false}
                    domain={domainOf(lines.map(({ cells }) => cells[index] && meanOf(cells[index].interval)))}
                    reason={line.not_measured?.[cell.measure]}
                  />
                ))}
                <td className="number" title={line.not_measured?.evaluations}>
                  {line.evaluations.mean === null ? "" : large(line.evaluations.mean)}
                </td>
                <td className="number" title={line.not_measured?.seconds}>
                  {line.seconds === null ? "" : number(line.seconds, 2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="hint">
        Means over texts with 95 % bootstrap intervals. Bold is only what beats every other method in a paired
        test, after Holm’s correction over all tests of this page.
        {lines.some(({ method }) => method === "best-order") && ` ${BEST_ORDER}`}
        <Missing lines={lines} design={design} />
        <NotMeasured lines={lines} results={results} />
      </p>
      <OperatorTable model={model} operators={results.operators ?? []} design={design} />
    </section>
  );
}

function Better({ column }: { column: MeasureColumn }) {
  const up = column.better === "higher";
  return (
    <>
      <span aria-hidden="true">{up ? "↑" : "↓"}</span>
      <span className="unseen">, {column.better} is better</span>
    </>
  );
}

/** Who left how many texts out, and the reason that was given most. */
function Missing({ lines, design }: { lines: TableLine[]; design: EvaluationDesign }) {
  const short = lines
    .map((line) => ({ line, reasons: Object.entries(line.problems) }))
    .filter(({ reasons }) => reasons.length > 0);
  if (short.length === 0) return null;
  return (
    <>
      {" "}
      {short.map(({ line, reasons }) => {
        const count = reasons.reduce((sum, [, times]) => sum + times, 0);
        return line.brought
          ? `${lineName(line, design)} is without ${count} texts (${reasons[0]?.[0]}). `
          : `${lineName(line, design)} could not explain ${count} texts (${reasons[0]?.[0]}). `;
      })}
    </>
  );
}

/** What explanations that were made elsewhere cannot have, by reason. */
function NotMeasured({ lines, results }: { lines: TableLine[]; results: EvaluationResults }) {
  const titles = new Map(results.measures.map(({ name, title }) => [name, title]));
  return lines
    .filter(({ brought }) => brought)
    .map((line) => {
      const reasons = Object.entries(line.not_measured ?? {});
      const said = [...new Set(reasons.map(([, reason]) => reason))].map((reason) => {
        const of = reasons.filter((each) => each[1] === reason).map(([name]) => titles.get(name) ?? name);
        return `${listed(of)}: ${reason}`;
      });
      return said.length > 0 ? `Not measured of ${line.method}: ${said.join("; ")}. ` : "";
    })
    .join("");
}
