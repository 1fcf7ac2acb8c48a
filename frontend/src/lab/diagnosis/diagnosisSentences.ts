/** The sentences of a diagnosis: a line for each model, explained by the method that the number is from. */
import type { DiagnosisDocument, DiagnosisResults } from "../documents";
import type { Sentenced } from "../sentenced";
import { diagnosedText, useDiagnosedTexts, useDiagnosisPoints } from "./api";
import { seriesOfModel } from "./wording";

export const diagnosisSentences = (run: DiagnosisDocument, results: DiagnosisResults): Sentenced => ({
  texts: run.texts,
  models: run.design.models,
  measures: results.quantities,
  usePoints: (measure) => useDiagnosisPoints(run.id, measure, run),
  useSentences: (after, texts) => useDiagnosedTexts(run.id, after, texts, run),
  sentence: (text) => diagnosedText(run.id, text),
  name: ({ model }) => model,
  series: ({ model }) => seriesOfModel(run.design.models.indexOf(model)),
  has: ({ method }, measure) => results.quantities.find(({ name }) => name === measure)?.method === method,
});
