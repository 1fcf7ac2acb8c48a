import type { DiagnosisResults, ModelFindings } from "../documents";
import { number } from "../wording";
import { IntervalTable } from "./IntervalTable";

const COLUMNS = [
  { title: "Alone", said: "The word’s own node, through the mean score of any node" },
  { title: "Parent", said: "The smallest phrase with more than the word, through any node" },
  { title: "Of phrases", said: "The same phrase, through the mean score of phrases" },
];

type Word = NonNullable<ModelFindings["contrast"]>["words"][number];

/** What each model makes of words of contrast; only words that come in the texts. */
export function ContrastTables({ results }: { results: DiagnosisResults }) {
  return results.models.map((findings) => <ContrastTable key={findings.model} findings={findings} />);
}

function ContrastTable({ findings: { model, contrast } }: { findings: ModelFindings }) {
  const words = contrast?.words.filter(({ alone, parent }) => alone.count + parent.count > 0) ?? [];
  if (!contrast || words.length === 0) return null;
  const heading = `contrast-${model}`;
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>Words of contrast: {model}</h2>
      <IntervalTable
        name={`Words of contrast on ${model}`}
        first="Word"
        columns={COLUMNS}
        lines={words.map(line)}
        digits={2}
      />
      <p className="hint">
        Absolute scores through that of any node, which is {number(contrast.average.mean)} here: 1 is like any
        other. 95 % bootstrap intervals over texts, where a word comes in at least five. “While” is told apart
        by its place in the tree: as contrast, time or period.
      </p>
    </section>
  );
}

const line = ({ word, alone, parent, parent_among_phrases }: Word) => ({
  name: word,
  cells: [alone, parent, parent_among_phrases].map(({ ratio, low, high, sentences }) => ({
    value: ratio,
    low,
    high,
    n: sentences,
  })),
  texts: Math.max(alone.sentences, parent.sentences),
});
