/** How pages of edits put things. */
import type { EditDesign, EditDocument, EditResults } from "../documents";
import { number } from "../wording";

export const together = (words: readonly string[]) => `“${words.join(" … ")}”`;

export const editTitle = ({ design }: EditDocument) =>
  design.title || `${design.model} edited at ${together(design.words)}`;

export const editedHow = ({ model, words, strength }: EditDesign) =>
  `${model} at ${together(words)}, c = ${strength ?? 3}`;

/** What is being done, in words. */
export const DOING: Record<NonNullable<EditDocument["doing"]>, string> = {
  waiting: "Waiting: another edit is being made",
  beginning: "Fitting the interaction in the edited text",
  teaching: "Teaching a copy of the model",
  before: "Asking the original about the other texts",
  after: "Asking the edited model about the other texts",
  accuracy: "Counting right answers",
};

export const signed = (value: number) => (value > 0 ? `+${number(value, 2)}` : number(value, 2));

const percent = (share: number | null) => (share === null ? "–" : `${(100 * share).toFixed(0)}\u00a0%`);

/** What came out, in a sentence or two. */
export function finding({ turned, here_before, here_after, accuracy, words }: EditResults): string {
  const here =
    here_before * here_after < 0
      ? `${together(words)} does the opposite in the edited text (from ${signed(here_before)} to ${signed(here_after)})`
      : `${together(words)} was not turned round in the edited text (from ${signed(here_before)} to ${signed(here_after)})`;
  const elsewhere =
    turned.share === null
      ? "no other text had its sign before"
      : `in ${turned.count} of ${turned.of} other texts that had its sign (${percent(turned.share)}, ${percent(turned.low)} to ${percent(turned.high)})`;
  const joined =
    turned.share === null ? `${here}; ${elsewhere}.` : `${here}, and its sign changed ${elsewhere}.`;
  return accuracy ? `${joined} ${cost(accuracy.lost)}` : joined;
}

function cost({ mean, low, high }: { mean: number | null; low: number | null; high: number | null }): string {
  if (mean === null) return "";
  const reach = low === null ? "" : ` (${number(low, 1)} to ${number(high, 1)})`;
  if (mean < 0)
    return `It is right more often: ${number(-mean, 1)} points of accuracy gained${reach && ` (lost: ${number(low, 1)} to ${number(high, 1)})`}.`;
  return `It cost ${number(mean, 1)} points of accuracy${reach}.`;
}
