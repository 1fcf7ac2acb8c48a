/** The numbers of two explanations side by side: by phrase where the texts are the same, by matching words where not. */

import type { Explanation } from "../explanation";
import { type Span, spanKey, wordsOf } from "../spans";

export interface Pair {
  /** In the words of the first. */
  span: Span;
  /** The words of the second, where the number is about two that need not stand together. */
  beside?: Span;
  one: number;
  other: number;
}

type Valued = { spans: readonly [Span] | readonly [Span, Span]; value: number };

export function differences(first: Explanation, second: Explanation): Pair[] {
  const place = first.text === second.text ? identity(first.words.length) : aligned(first, second);
  const known = new Map(valuesOf(second).map(({ spans, value }) => [keyOf(spans), value]));
  return valuesOf(first)
    .flatMap(({ spans, value }) => {
      const there = spans.map((span) => moved(span, place));
      const other = there.every((span) => span !== null) ? known.get(keyOf(there)) : undefined;
      const [span, beside] = spans;
      return other === undefined ? [] : [{ span, ...(beside && { beside }), one: value, other }];
    })
    .sort((a, b) => Math.abs(b.other - b.one) - Math.abs(a.other - a.one));
}

/** Of the largest number of both sides: what is worth a word. */
const SOMETHING = 0.01;

/**
 * Where two references part about whether a word does anything at all: the side, 0 or 1, on which it made no difference
 * to the model in anything that was asked, though the other side credits it. A stand-in that depends on the words
 * present gives a word that the model never uses what others say through it.
 */
export function unusedSide(
  { span, beside, one, other }: Pair,
  sides: readonly [Idle, Idle],
  largest: number,
): 0 | 1 | null {
  if (beside !== undefined) return null;
  const [first, second] = sides.map((side) => makesNoDifference(side, span));
  if (first === second) return null;
  return Math.abs(first ? other : one) >= SOMETHING * largest ? (first ? 0 : 1) : null;
}

/** Where not all combinations of words were tried, one may still matter in another. */
export function howFarSeen({
  players,
  evaluations,
}: Pick<Explanation, "players"> & { evaluations: Pick<Explanation["evaluations"], "distinct"> }): string {
  const tried = evaluations.distinct;
  return tried >= 2 ** players.length
    ? "whatever else was there"
    : `in all ${tried.toLocaleString("en")} combinations of words that were tried`;
}

type Idle = Pick<Explanation, "players" | "idle">;

function makesNoDifference({ players, idle }: Idle, [start, end]: Span): boolean {
  return idle.some((player) => players[player]?.start === start && players[player]?.end === end);
}

/** What the reading says of each phrase and of each pair, in words instead of players. */
function valuesOf(explanation: Explanation): Valued[] {
  const player = (place: number) => wordsOf(explanation, place, place + 1);
  return [
    ...explanation.reading.spans.map(
      ({ start, end, score }): Valued => ({ spans: [wordsOf(explanation, start, end)], value: score }),
    ),
    ...explanation.reading.pairs.map(
      ({ first, second, score }): Valued => ({ spans: [player(first), player(second)], value: score }),
    ),
  ];
}

const keyOf = (spans: readonly Span[]): string => spans.map(spanKey).join(" ");

function moved([start, end]: Span, place: readonly (number | null)[]): Span | null {
  const [from, last] = [place[start], place[end - 1]];
  if (from === null || from === undefined || last === null || last === undefined) return null;
  return last - from === end - 1 - start ? [from, last + 1] : null;
}

const identity = (size: number) => Array.from({ length: size }, (_, index) => index);

/** Where each word of the first stands in the second: the longest common subsequence of words. */
function aligned(first: Explanation, second: Explanation): (number | null)[] {
  const [one, two] = [first, second].map(({ words }) => words.map(({ text }) => text.toLowerCase())) as [
    string[],
    string[],
  ];
  const best = Array.from({ length: one.length + 1 }, () => new Array<number>(two.length + 1).fill(0));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = two.length - 1; j >= 0; j--) {
      const row = best[i] as number[];
      row[j] = one[i] === two[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const place: (number | null)[] = [];
  for (let i = 0, j = 0; i < one.length; i++) {
    while (j < two.length && one[i] !== two[j] && at(i, j + 1) >= at(i + 1, j)) j++;
    if (j < two.length && one[i] === two[j]) place.push(j++);
    else place.push(null);
  }
  return place;
}
