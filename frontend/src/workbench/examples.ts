/** Sentences for someone who does not know yet what to type: of the samples, those worth a look. */
import type { Catalog, ModelEntry } from "../service/catalog";
import { fillsIn, speaks } from "../state/words";

/**
 * Chosen by hand and checked by a test: each shows how words change each other, and the transformer of its kind reads it
 * as a careful reader does.
 */
export const CHOSEN: readonly string[] = [
  "The music is lovely, but the film is not heartwarming or entertaining.",
  "It's not a bad way at all to spend a rainy Sunday.",
  "Better than the book, and I loved the book.",
  "You'll love it even if you can't stand musicals.",
  "The trailer was funnier than the movie, and the trailer wasn't funny.",
  "It would have been a lovely meal if any of it had been cooked.",
  "It's not that I'm angry, I'm only so lonely here.",
  "After eleven rejections, I finally got the job!",
  "More than the dark itself, it's the silence that frightens me.",
  "The house sold quickly, but I cried all the way to the motorway.",
  "My cousin lives on the third floor, not the second.",
  "The prime minister did not deny that talks with the separatists had begun.",
  "Nobody at the bank was unaware of the losses, a former trader told the inquiry.",
  "The sprinter denied doping, and her lawyers did not rule out an appeal.",
  "Chipmaker Aurelis says its new processor runs cooler and twice as fast as the old one.",
  "Armies of small robots are at war in a laboratory, and the winner will never fire a shot.",
];

/** Beginnings for language models: what comes next hangs on a word that is not the last one. */
export const PROMPTS: readonly string[] = [
  "The capital of France is",
  "The keys that the guard had left on the table",
  "She poured the coffee, added milk and a spoonful of",
  "I went to the bank to withdraw some",
  "It never rains here in summer, so nobody carries an",
];

/** Texts with a blank, for models that fill one in. */
export const BLANKS: readonly string[] = [
  "The film is [MASK].",
  "The acting was [MASK], but I loved the story.",
  "It was so [MASK] that I left before the end.",
  "She played the piano, and everybody listened to the [MASK].",
];

const MOST = 6;

export interface Example {
  text: string;
  note?: string | undefined;
}

/** The chosen samples of the model's own kind, in their order here; the catalog's own choice where there are none. */
export function examplesFor(catalog: Catalog, model: ModelEntry): Example[] {
  if (fillsIn(model)) return BLANKS.map((text) => ({ text }));
  if (speaks(model)) return PROMPTS.map((text) => ({ text }));
  const fitting = catalog.samples.filter(({ kind }) => kind === model.examples);
  const chosen = CHOSEN.flatMap((text) => fitting.find((sample) => sample.text === text) ?? []);
  return (chosen.length > 0 ? chosen : fitting.filter(({ example }) => example)).slice(0, MOST);
}
