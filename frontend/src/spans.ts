/**
 * Words are the common coordinate of all pictures. Results count players, and a player covers words
 * (`explanation.players[i].start … end`); whatever is pointed at, chosen or lit is a span of words.
 */
import type { Explanation } from "./explanation";

/** Words from the first number up to, not including, the second. */
export type Span = readonly [number, number];

export interface Selection {
  hovered: Span | null;
  selected: Span | null;
}

export function sameSpan(a: Span | null, b: Span | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);
}

export function overlaps(a: Span | null, b: Span | null): boolean {
  return a !== null && b !== null && a[0] < b[1] && b[0] < a[1];
}

/** The words that players from `start` up to `end` cover. */
export function wordsOf({ players }: Pick<Explanation, "players">, start: number, end: number): Span {
  return [players[start]?.start ?? 0, players[end - 1]?.end ?? 0];
}

export const spanKey = ([start, end]: Span): string => `${start}-${end}`;

/** Whether the first lies within the second. */
export const within = (inner: Span, outer: Span): boolean => inner[0] >= outer[0] && inner[1] <= outer[1];
