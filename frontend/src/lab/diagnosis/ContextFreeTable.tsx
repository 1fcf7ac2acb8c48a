import { Scroll } from "../../studies/results/Scroll";
import type { ContextFree, DiagnosisResults } from "../documents";
import { meanOf, NumberCell } from "../NumberCell";
import { number } from "../wording";
import { TextsBehind } from "./TextsBehind";

export const SIGNS: Record<number, string> = { 1: "+ positive", [-1]: "− negative", 0: "none" };
const SHARES = [0, 1] as const;

export const CONTEXT_FREE_NOTE =
  "The term of exactly these words beside all single words, for the model’s last class, in log-odds. Shares " +
  "with Wilson’s intervals; those of random pairs with a bootstrap interval over pairs.";

/** Whether words interact with the same sign wherever they stand together, beside random pairs of words. */
export function ContextFreeTable({ results }: { results: DiagnosisResults }) {
  const lines = results.models.flatMap(({ context_free }) => context_free);
  if (lines.length === 0) return null;
  return (
    <section className="card" aria-labelledby="context-free">
      <h2 id="context-free">Free of the context?</h2>
      <Scroll name="Interactions and their signs">
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Words</th>
              <th scope="col">Model</th>
              <th scope="col">Sign</th>
              <th scope="col" className="number" title="Share of texts with the sign of the majority">
                Same sign
              </th>
              <th scope="col" className="number" title="Of the texts in which the term is clearly not 0">
                Where it is clear
              </th>
              <th
                scope="col"
                className="number"
                title="The same share of random pairs as frequent, over pairs"
              >
                Random pairs
              </th>
              <th
                scope="col"
                className="number"
                title="Share of random pairs that agree as much, these among them"
              >
                Rank
              </th>
              <th scope="col" className="number">
                Texts
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.words.join(" ")} ${line.model}`}>
                <th scope="row">{line.words.join(" … ")}</th>
                <td className="name">{line.model}</td>
                <td className="name">{SIGNS[line.sign]}</td>
                {[line.same, line.clear].map((share, index) => (
                  <NumberCell
                    key={index === 0 ? "same" : "clear"}
                    value={share.share}
                    low={share.low}
                    high={share.high}
                    n={share.of}
                    domain={SHARES}
                  />
                ))}
                <NumberCell {...meanOf(line.random)} domain={SHARES} />
                <td className="number">{number(line.rank)}</td>
                <td className="number">
                  {line.same.of} of {line.texts}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="hint">{CONTEXT_FREE_NOTE}</p>
      {lines.map((line) => (
        <Sentences key={`${line.words.join(" ")} ${line.model}`} line={line} />
      ))}
    </section>
  );
}

/** The single texts behind a share, the strongest first. */
function Sentences({ line }: { line: ContextFree }) {
  const texts = [...line.occurrences].sort((one, other) => other.contribution - one.contribution);
  return (
    <TextsBehind
      name={`Texts with ${line.words.join(" … ")} on ${line.model}`}
      model={line.model}
      method="mahe"
      columns={["Term", "Standard error"]}
      texts={texts.map(({ text, contribution, standard_error }) => ({
        text,
        value: contribution,
        beside: [number(standard_error, 2)],
      }))}
    />
  );
}
