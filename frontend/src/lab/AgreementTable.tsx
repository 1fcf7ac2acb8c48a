import { Scroll } from "../studies/results/Scroll";
import type { EvaluationResults, MeanInterval } from "./documents";
import { number } from "./wording";

/** How alike two methods rank the words of a sentence. */
export function AgreementTable({ results }: { results: EvaluationResults }) {
  if (results.agreement.length === 0) return null;
  const several = new Set(results.agreement.map(({ reference }) => reference).filter(Boolean)).size > 1;
  return (
    <section className="card" aria-labelledby="agreement">
      <h2 id="agreement">Do the methods agree?</h2>
      <Scroll name="Agreement of methods">
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Methods</th>
              <th scope="col">Model</th>
              {several && <th scope="col">Absent words</th>}
              <th
                scope="col"
                className="number"
                title="Kendall’s tau of the two rankings, mean over sentences"
              >
                Kendall’s τ
              </th>
              <th
                scope="col"
                className="number"
                title="Share of the top fifth of the words that both have there"
              >
                Top 20 % in common
              </th>
            </tr>
          </thead>
          <tbody>
            {results.agreement.map((line) => (
              <tr key={`${line.model} ${line.first} ${line.second} ${line.reference}`}>
                <th scope="row">
                  {line.first} and {line.second}
                </th>
                <td>{line.model}</td>
                {several && <td>{line.reference}</td>}
                <td className="number">{spoken(line.kendall)}</td>
                <td className="number">{spoken(line.overlap)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

const spoken = ({ mean, low, high }: MeanInterval) =>
  low === null || high === null
    ? number(mean, 2)
    : `${number(mean, 2)} (${number(low, 2)} to ${number(high, 2)})`;
