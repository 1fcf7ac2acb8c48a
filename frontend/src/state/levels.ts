/**
 * Long texts are explained level by level: what is open is a span of words, and its parts are what the pictures show.
 * Here is what follows from a text alone, before any server has read it.
 */
import appearance from "../appearance";
import type { Explanation, PlayerKind } from "../explanation";
import { type Span, sameSpan, within } from "../spans";
import { roughWords } from "./budgets";
import type { Subject } from "./question";
import { promptOf } from "./words";

/** Words from which on several sentences are too many for one look, and from which on one sentence is. */
const SEVERAL_SENTENCES = 50;
const ONE_SENTENCE = 120;

/** Whether a text is more than people can look at word by word. */
export function isLong(text: string): boolean {
  const words = roughWords(text);
  return words > ONE_SENTENCE || (words > SEVERAL_SENTENCES && /[.!?…]["'”’)\]]*\s+\S/u.test(text));
}

/** What comes and goes: the reader's choice, or words, and levels where the words are too many. */
export function playersOf(subject: Pick<Subject, "players" | "text" | "at">, nextWords: boolean): PlayerKind {
  return subject.players ?? (!nextWords && isLong(promptOf(subject)) ? "nested" : "words");
}

export type Level = NonNullable<Explanation["levels"]>[number];
export type Part = Level["parts"][number];

export const spanOf = ({ start, end }: { start: number; end: number }): Span => [start, end];

/** Whether there is anything in it to look at. */
export const opens = ({ start, end }: { start: number; end: number }): boolean => end - start > 1;

/** The method whose values are what parts have, on the server's side as well. */
export const WORTH = appearance.levels.worth;

/** The levels of an explanation by that method, the open one with the values of its parts, too. */
export function valuedLevels(explanation: Explanation): Level[] {
  const levels = explanation.levels ?? [];
  const shares = explanation.method === WORTH ? explanation.reading.spans : [];
  return levels.map((level, depth) =>
    depth < levels.length - 1
      ? level
      : {
          ...level,
          parts: level.parts.map((part, place) => ({
            ...part,
            value: shares[place]?.score ?? null,
            error: shares[place]?.error ?? null,
          })),
        },
  );
}

/** What is open one level further up; nothing above the text. */
export function above(levels: readonly Level[], open: Span | null): Span | null {
  const depth = levels.findIndex((level) => sameSpan(spanOf(level), open));
  const parent = depth > 1 ? levels[depth - 1] : undefined;
  return parent ? spanOf(parent) : null;
}

/** The part of a level that holds these words. */
export function partAround(level: Level | undefined, span: Span | null): Part | undefined {
  return span === null ? undefined : level?.parts.find((part) => within(span, spanOf(part)));
}

/** What people call a part: "sentence 3", or by its words. */
export function placeOf(level: Level, part: Part): string {
  const same = level.parts.filter(({ kind }) => kind === part.kind);
  return part.kind === "sentence" || part.kind === "passage"
    ? `${part.kind} ${same.indexOf(part) + 1}`
    : part.kind;
}
