import type { DiagnosisResults } from "../documents";
import { meanOf } from "../NumberCell";
import { IntervalTable, type Line } from "./IntervalTable";

export const LINEARITY = [
  { title: "Words", said: "LS-Tree values of words, and their weights" },
  { title: "Phrases", said: "What the model says of a phrase alone, and the sum of its weights" },
];

export const linearityNote = (linear: string) =>
  `Pearson’s correlation in each text with at least three words (phrases) that ${linear} knows; means over texts with 95 % bootstrap intervals.`;

export const linearityLines = ({ models }: DiagnosisResults): Line[] =>
  models.flatMap(({ model, linearity }) =>
    linearity
      ? [{ name: model, cells: [linearity.words, linearity.phrases].map(meanOf), texts: linearity.words.n }]
      : [],
  );

/** How far each model goes with the weights of a bag of words. */
export function LinearityTable({ results, linear }: { results: DiagnosisResults; linear: string }) {
  const lines = linearityLines(results);
  if (lines.length === 0) return null;
  return (
    <section className="card" aria-labelledby="linearity">
      <h2 id="linearity">Correlation with {linear}</h2>
      <IntervalTable
        name="Correlations in numbers"
        first="Model"
        columns={LINEARITY}
        lines={lines}
        digits={3}
      />
      <p className="hint">{linearityNote(linear)}</p>
    </section>
  );
}
