/** Sentences for someone who does not know yet what to type. */
import type { Catalog, ModelEntry, SampleEntry } from "../service/catalog";

const MOST = 5;

/** Samples of the model's own task; ones whose class the model knows, different phenomena first. */
export function examplesFor(catalog: Catalog, model: ModelEntry): SampleEntry[] {
  const fitting = catalog.samples.filter(
    ({ kind, label, example }) => example && kind === model.examples && model.classes?.includes(label),
  );
  const shown = fitting.filter(
    (sample, index) => fitting.findIndex(({ phenomenon }) => phenomenon === sample.phenomenon) === index,
  );
  return [...shown, ...fitting.filter((sample) => !shown.includes(sample))].slice(0, MOST);
}
