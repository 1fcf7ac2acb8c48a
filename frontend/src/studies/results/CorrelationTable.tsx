import type { AgainstPeople, PeopleAndMeasures } from "../documents";
import { counted, decimals } from "../wording";
import { Scroll } from "./Scroll";

/** What is undecided says nothing: a dozen times "could be chance" would hide the others. */
const VERDICT: Partial<Record<AgainstPeople["verdict"], string>> = {
  with: "with people",
  against: "against people",
  alike: "all items alike",
  "too-few": "too few",
};

/** Rows are measures, columns methods: how far each measure goes with people's guesses on one model. */
export function CorrelationTable({
  model,
  data,
  titled,
}: {
  model: string;
  data: PeopleAndMeasures;
  titled: boolean;
}) {
  const cells = data.correlations.filter((each) => each.model === model);
  const methods = [...new Set(cells.map(({ method }) => method))];
  return (
    <Scroll name={`Correlations on ${model}`}>
      <table className="correlations">
        {titled && <caption>{model}</caption>}
        <thead>
          <tr>
            <th scope="col">Measure</th>
            {methods.map((method) => (
              <th key={method} scope="col" className="number">
                {method ?? "All methods"}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.measures.map(({ name, title, description, better }) => (
            <tr key={name} data-measure={name}>
              <th scope="row" title={description}>
                {title} <span aria-hidden="true">{better === "higher" ? "↑" : "↓"}</span>
                <span className="unseen">, {better} is better</span>
              </th>
              {methods.map((method) => {
                const found = cells.find((each) => each.measure === name && each.method === method);
                return found ? <Cell key={method} found={found} /> : <td key={method} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Cell({ found }: { found: AgainstPeople }) {
  const { rho, low, high, groups } = found.correlation;
  const decided = found.verdict === "with" || found.verdict === "against";
  return (
    <td className="number" title={found.says} data-rho={rho ?? ""} data-verdict={found.verdict}>
      <span className={decided ? "decided" : undefined}>{decimals(rho)}</span>
      <span className="beneath">
        {low === null ? counted(groups, "text") : `${decimals(low)} to ${decimals(high)}`}
      </span>
      {found.verdict !== "undecided" && (
        <span className={decided ? "beneath decided" : "beneath"}>{VERDICT[found.verdict]}</span>
      )}
    </td>
  );
}
