import type { DiagnosisResults, ModelFindings } from "../documents";
import { number } from "../wording";
import { IntervalTable, type Line } from "./IntervalTable";
import { TextsBehind } from "./TextsBehind";

export const CONTRAST = [
  { title: "Alone", said: "The word’s own node, through the mean score of any node" },
  { title: "Parent", said: "The smallest phrase with more than the word, through any node" },
  { title: "Of phrases", said: "The same phrase, through the mean score of phrases" },
];

type Contrast = NonNullable<ModelFindings["contrast"]>;
type Word = Contrast["words"][number];

export const contrastNote = ({ average }: Contrast) =>
  `Absolute scores through that of any node, which is ${number(average.mean)} here: 1 is like any other. 95 % bootstrap intervals over texts, where a word comes in at least five. “While” is told apart by its place in the tree: as contrast, time or period.`;

/** Only words that come in the texts. */
export const contrastLines = ({ words }: Contrast): Line[] =>
  words.filter(({ alone, parent }) => alone.count + parent.count > 0).map(line);

/** What each model makes of words of contrast. */
export function ContrastTables({ results }: { results: DiagnosisResults }) {
  return results.models.map((findings) => <ContrastTable key={findings.model} findings={findings} />);
}

function ContrastTable({ findings: { model, contrast, heaviest } }: { findings: ModelFindings }) {
  const lines = contrast ? contrastLines(contrast) : [];
  if (!contrast || lines.length === 0) return null;
  const heading = `contrast-${model}`;
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>Words of contrast: {model}</h2>
      <IntervalTable
        name={`Words of contrast on ${model}`}
        first="Word"
        columns={CONTRAST}
        lines={lines}
        digits={2}
      />
      <p className="hint">{contrastNote(contrast)}</p>
      <TextsBehind
        name={`Texts in which a word of contrast weighs most on ${model}`}
        model={model}
        method="ls-tree"
        columns={["Score around it", "Word"]}
        texts={heaviest.map(({ text, word, score }) => ({ text, value: score, beside: [word] }))}
      />
    </section>
  );
}

const line = ({ word, alone, parent, parent_among_phrases }: Word): Line => ({
  name: word,
  cells: [alone, parent, parent_among_phrases].map(({ ratio, low, high, sentences }) => ({
    value: ratio,
    low,
    high,
    n: sentences,
  })),
  texts: Math.max(alone.sentences, parent.sentences),
});
