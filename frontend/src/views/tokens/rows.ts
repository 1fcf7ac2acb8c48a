/** The rows of the bars: which there are, in which order, and from where to where each bar leads. */

import type { Explanation } from "../../explanation";
import { KINDS } from "../../marks";
import { type Span, wordsOf } from "../../spans";
import { addsUp, nameOf, pairName, type WordScores } from "./result";

export type Order = "size" | "reading";

export type BarRow = {
  readonly key: string;
  readonly kind: "word" | "others" | "phrase" | "pair" | "total";
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly error: number | null;
  readonly span: Span | null;
  /** What else the bar is about, where that does not stand beside the first. */
  readonly other?: Span;
};

/** With more players than this, the smallest are folded into one row. */
const MOST_ROWS = 14;
const KEPT = 11;
/** Pairs are many; the strongest are drawn, the table has all. The same as in the server's pictures. */
export const MOST_PAIRS = 20;

export const canFold = (scores: WordScores): boolean => scores.words.length > MOST_ROWS;

/** End to end from the empty text to the whole one where the values add up to that, else all from zero. */
export function wordRows(
  explanation: Explanation,
  scores: WordScores,
  order: Order,
  open: boolean,
): BarRow[] {
  if (scores.words.length === 0) return [];
  const bySize = [...scores.words].sort((a, b) => size(b) - size(a));
  const kept = open || !canFold(scores) ? bySize : bySize.slice(0, KEPT);
  const others = bySize.slice(kept.length);
  const shown = order === "size" ? kept : [...kept].sort((a, b) => a.start - b.start);
  const ends = addsUp(scores) ? scores.ends : null;
  let running = ends?.[0] ?? 0;
  const next = (value: number) => {
    const from = ends ? running : 0;
    running += value;
    return { from, to: from + value, value };
  };

  const rows: BarRow[] = shown.map(({ start, end, score, error }) => ({
    key: `word ${start}`,
    kind: "word",
    name: nameOf(explanation, start, end),
    ...next(score),
    error,
    span: wordsOf(explanation, start, end),
  }));
  if (others.length > 0) {
    const together = others.reduce((sum, { score }) => sum + score, 0);
    const name = `${others.length} other ${KINDS[explanation.player_kind] ?? "word"}s`;
    rows.push({ key: "others", kind: "others", name, ...next(together), error: null, span: null });
  }
  if (!ends) return rows;
  const total = (key: string, name: string, value: number): BarRow => {
    return { key, kind: "total", name, from: value, to: value, value, error: null, span: null };
  };
  return [
    total("start", `no ${explanation.player_kind}`, ends[0]),
    ...rows,
    total("end", "whole text", ends[1]),
  ];
}

/** What phrases made as wholes, each from zero, the strongest first. */
export function phraseRows(explanation: Explanation, scores: WordScores): BarRow[] {
  return [...scores.phrases]
    .sort((a, b) => size(b) - size(a))
    .map(({ start, end, score, error }) => ({
      key: `phrase ${start} ${end}`,
      kind: "phrase",
      name: nameOf(explanation, start, end),
      from: 0,
      to: score,
      value: score,
      error,
      span: wordsOf(explanation, start, end),
    }));
}

/** What two do together, each from zero, the strongest first. */
export function pairRows(explanation: Explanation, scores: WordScores): BarRow[] {
  return scores.pairs.slice(0, MOST_PAIRS).map((pair) => ({
    key: `pair ${pair.first} ${pair.second}`,
    kind: "pair",
    name: pairName(explanation, pair),
    from: 0,
    to: pair.score,
    value: pair.score,
    error: pair.error,
    span: wordsOf(explanation, pair.first, pair.first + 1),
    other: wordsOf(explanation, pair.second, pair.second + 1),
  }));
}

const size = ({ score }: { score: number }): number => Math.abs(score);
