import { Scroll } from "../../studies/results/Scroll";
import type { DiagnosisResults } from "../documents";
import { domainOf, meanOf, NumberCell } from "../NumberCell";
import { number } from "../wording";

export const LEVELS = [
  { part: "linear", title: "Words alone" },
  { part: "one", title: "One interaction" },
  { part: "last", title: "Last level" },
] as const;

export const FIT_NOTE =
  "Squared error of the log-odds on coalitions that nothing was fitted on, over the texts in which an " +
  "interaction was found; means with 95 % bootstrap intervals. p by flipping signs, after Holm’s correction " +
  "over this table.";

/** How much of each model’s behaviour around a text is caught, by the number of interactions. */
export function FitTable({ results }: { results: DiagnosisResults }) {
  const lines = results.models.flatMap(({ fit }) => (fit ? [fit] : []));
  if (lines.length === 0) return null;
  const domain = domainOf(lines.flatMap((line) => LEVELS.map(({ part }) => meanOf(line[part]))));
  return (
    <section className="card" aria-labelledby="fit">
      <h2 id="fit">Fit by number of interactions</h2>
      <Scroll name="Errors of fits">
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Model</th>
              {LEVELS.map(({ part, title }) => (
                <th key={part} scope="col" className="number">
                  {title} <span aria-hidden="true">↓</span>
                </th>
              ))}
              <th scope="col" className="number" title="That the gain of the first interaction is chance">
                p of the first
              </th>
              <th scope="col" className="number" title="That the gain of all further interactions is chance">
                p of further ones
              </th>
              <th scope="col" className="number">
                Texts with one
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.model}>
                <th scope="row">{line.model}</th>
                {LEVELS.map(({ part }) => (
                  <NumberCell key={part} {...meanOf(line[part])} domain={domain} />
                ))}
                <td className="number">{number(line.first_p, 4)}</td>
                <td className="number">{number(line.further_p, 4)}</td>
                <td className="number">
                  {line.found.count} of {line.found.of}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="hint">{FIT_NOTE}</p>
    </section>
  );
}
