import { Scroll } from "../../studies/results/Scroll";
import { CurvePlot, Legend, type PlotLine } from "../CurvePlot";
import type { DiagnosisResults, MeanInterval } from "../documents";
import { domainOf, meanOf, NumberCell } from "../NumberCell";
import { number } from "../wording";
import { CHANCE, seriesOfModel } from "./wording";

const AXIS = { name: "top nodes", ticks: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], written: String };

export const DEPTHS_NOTE =
  "A word has depth 1. Means over the texts with so many nodes, with 95 % bootstrap intervals; p of the " +
  "difference to any node of the same text, by flipping signs.";

/** How deep in the tree the strongest interactions of each model lie, beside any nodes of the same texts. */
export function Depths({ results }: { results: DiagnosisResults }) {
  const models = results.models.filter(({ depths }) => depths.length > 0);
  const lines = linesOf(models);
  if (lines.length === 0) return null;
  const domain = domainOf(models.flatMap(({ depths }) => depths.map(({ depth }) => meanOf(depth))));
  return (
    <section className="card" aria-labelledby="depths">
      <h2 id="depths">Depth of the top nodes</h2>
      <Legend lines={lines} />
      <div className="curves one">
        <CurvePlot
          title="Mean depth of the strongest nodes"
          lines={lines}
          axis={AXIS}
          least={1}
          said={inWords(lines)}
        />
      </div>
      <details>
        <summary>In numbers</summary>
        <Scroll name="Depths in numbers">
          <table className="measures">
            <thead>
              <tr>
                <th scope="col">Top nodes</th>
                <th scope="col">Model</th>
                <th scope="col" className="number">
                  Depth
                </th>
                <th scope="col" className="number">
                  Any node
                </th>
                <th scope="col" className="number">
                  p
                </th>
              </tr>
            </thead>
            <tbody>
              {AXIS.ticks.flatMap((top) =>
                models.flatMap(({ model, depths: own }) =>
                  own
                    .filter((each) => each.top === top && each.depth.mean !== null)
                    .map(({ depth, chance, p }) => (
                      <tr key={`${top} ${model}`}>
                        <th scope="row">{top}</th>
                        <td className="name">{model}</td>
                        <NumberCell {...meanOf(depth)} digits={2} domain={domain} />
                        <td className="number">{number(chance.mean, 2)}</td>
                        <td className="number">{number(p, 4)}</td>
                      </tr>
                    )),
                ),
              )}
            </tbody>
          </table>
        </Scroll>
      </details>
      <p className="hint">{DEPTHS_NOTE}</p>
    </section>
  );
}

const point = (at: number, { mean, low, high }: MeanInterval) =>
  mean === null ? [] : [{ at, mean, low, high }];

/** A line for each model, and one for any nodes: texts are the same for all, and so are their trees. */
export function linesOf(models: DiagnosisResults["models"]): PlotLine[] {
  const own = models.map(({ model, depths }, index) => ({
    name: model,
    series: seriesOfModel(index),
    points: depths.flatMap(({ top, depth }) => point(top, depth)),
  }));
  const chance = models[0]?.depths.flatMap(({ top, chance }) => point(top, chance)) ?? [];
  return [...own, { name: "any node", series: CHANCE, points: chance }].filter(
    ({ points }) => points.length > 0,
  );
}

function inWords(lines: readonly PlotLine[]): string {
  const said = lines.map(({ name, points }) => `${name} ${number(points[0]?.mean, 2)}`);
  return `Mean depth by number of top nodes; of the first: ${said.join(", ")}`;
}
