/** The sentences of a run of measures: every line of the table has every measure. */
import { sentenceOf, usePoints, useSentences } from "./api";
import { seriesOf } from "./Curves";
import type { EvaluationDocument, EvaluationResults } from "./documents";
import type { Sentenced } from "./sentenced";
import { lineName } from "./wording";

export const sentencesOf = (run: EvaluationDocument, results: EvaluationResults): Sentenced => ({
  texts: run.texts,
  models: run.design.models,
  measures: results.measures,
  usePoints: (measure) => usePoints(run.id, measure, run),
  useSentences: (after, texts) => useSentences(run.id, after, texts, run),
  sentence: (text) => sentenceOf(run.id, text),
  name: (line) => lineName(line, run.design),
  series: (line) => seriesOf(line, run.design),
  has: () => true,
});
