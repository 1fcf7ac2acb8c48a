/**
 * Language models say words instead of classes. A word is written exactly as it goes on, mostly with a space before it:
 * that is how the server and the address have it, and here is how people read it.
 */
import appearance from "../appearance";
import type { ModelEntry } from "../service/catalog";
import type { Prediction } from "../service/predictions";
import type { Question, Subject } from "./question";

/** The server's name for all words that were not looked at. */
export const ANY_OTHER = appearance.next_words.other;

/** Whether a model says words instead of classes: the one that comes next, or the one that belongs in a blank. */
export function speaks(model: ModelEntry | undefined): boolean {
  return model?.says === "next-words" || fillsIn(model);
}

/** Whether its word stands in the middle of the text, at a blank. */
export function fillsIn(model: ModelEntry | undefined): boolean {
  return model?.says === "blank";
}

/** The words that a question names, each once; they are looked at besides those that are likely anyway. */
export function namedWords({
  target,
  rather,
  against,
  typed,
  real,
}: Pick<Question, "target" | "rather" | "against" | "typed" | "real">): string[] {
  const named = [...typed, target, rather, against?.target, real];
  return [...new Set(named.filter((word) => word !== null && word !== undefined))];
}

/** Words that somebody typed and that stay in view. */
export const MOST_TYPED = 8;

type Pair = Pick<Question, "target" | "rather">;

/** Explain this word. The one that it was held against changes places with it. */
export function explaining(word: string, { target, rather }: Pair): Pair {
  return { target: word, rather: rather === word ? target : rather };
}

/** Hold the explained word against this one. Held against itself, it changes places with the other. */
export function holding(word: string | null, { target, rather }: Pair): Pair {
  return word === target ? { target: rather ?? target, rather: rather && target } : { target, rather: word };
}

export function withTyped(word: string, typed: readonly string[]): string[] {
  return [...typed.filter((each) => each !== word), word].slice(-MOST_TYPED);
}

/**
 * What the model would say, as far as words go: the likeliest one, unless its likeliest token only begins a word that
 * somebody named; then that word stands for it, and the likeliest of the others is but the runner-up.
 */
export function predictedWord({ label, beginning }: Pick<Prediction, "label" | "beginning">): string {
  return beginning?.word ?? label;
}

/** What is explained: the text, or its beginning where the next word is one of its own. Counted as Python does. */
export function promptOf({ text, at }: Pick<Subject, "text" | "at">): string {
  return at === null ? text : Array.from(text).slice(0, at).join("");
}

/** What somebody typed, as it goes on: after a space, unless it is a sign or fills in a blank. */
export function goingOn(typed: string, blank = false): string {
  const word = typed.trim();
  if (blank) return word;
  return /^[\p{P}\p{S}]+$/u.test(word) ? word : ` ${word}`;
}
