/**
 * Language models say words instead of classes. A word is written exactly as it goes on, mostly with a space before it:
 * that is how the server and the address have it, and here is how people read it.
 */
import type { ModelEntry } from "../service/catalog";
import type { Question, Subject } from "./question";

/** The server's name for all words that were not looked at. */
export const ANY_OTHER = "any other word";

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
}: Pick<Question, "target" | "rather" | "against">): string[] {
  const named = [target, rather, against?.target];
  return [...new Set(named.filter((word) => word !== null && word !== undefined))];
}

/** What is explained: the text, or its beginning where the next word is one of its own. Counted as Python does. */
export function promptOf({ text, at }: Pick<Subject, "text" | "at">): string {
  return at === null ? text : Array.from(text).slice(0, at).join("");
}

/** The word that really comes next, as it goes on from the prompt. */
export function realWord(
  { text, at }: Pick<Subject, "text" | "at">,
  words: readonly { start: number; end: number }[],
): string | null {
  const word = at === null ? undefined : words.find(({ end }) => end > at);
  return word && at !== null ? Array.from(text).slice(at, word.end).join("") : null;
}

/** What somebody typed, as it goes on: after a space, unless it is a sign or fills in a blank. */
export function goingOn(typed: string, blank = false): string {
  const word = typed.trim();
  if (blank) return word;
  return /^[\p{P}\p{S}]+$/u.test(word) ? word : ` ${word}`;
}
