import { Scroll } from "../studies/results/Scroll";
import type { EvaluationDesign, OperatorLine } from "./documents";
import { domainOf, meanOf, NumberCell } from "./NumberCell";
import { lineName } from "./wording";

/** Beside the measures: how far each operator's texts are from what people write. Nobody is better by it. */
export function OperatorTable({
  model,
  operators,
  design,
}: {
  model: string;
  operators: OperatorLine[];
  design: EvaluationDesign;
}) {
  const lines = operators.filter((line) => line.model === model);
  const head = lines.find(({ cells }) => cells.length > 0)?.cells ?? [];
  if (head.length === 0) return null;
  const domain = domainOf(lines.flatMap(({ cells }) => cells.map(({ interval }) => meanOf(interval))));
  return (
    <>
      <h3>How strange the operators’ texts are</h3>
      <Scroll name={`Operators on ${model}`}>
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Operator</th>
              {head.map((cell) => (
                <th key={lineName(cell, design)} scope="col" className="number">
                  {lineName(cell, design)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ operator, description, cells, reason }) => (
              <tr key={operator}>
                <th scope="row" title={description}>
                  {operator}
                </th>
                {cells.map((cell) => (
                  <NumberCell
                    key={lineName(cell, design)}
                    {...meanOf(cell.interval)}
                    domain={domain}
                    digits={2}
                  />
                ))}
                {reason && (
                  <td colSpan={head.length} className="hint">
                    {reason}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="hint">
        Bits a word that a small language model of film reviews is more surprised by a text without 20 % of
        its words than by the whole one: the top words of each method, or words drawn at random. Where it is
        large, the model is asked about texts unlike any it has seen.
      </p>
    </>
  );
}
