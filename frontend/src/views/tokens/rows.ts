/** The rows of the bars: which there are, in which order, and from where to where each bar leads. */

import type { Explanation } from "../../explanation";
import { KINDS, phraseOf, playerNames } from "../../marks";
import { type Span, wordsOf } from "../view";
import { addsUp, errorOf, type WordScores } from "./result";

export type Order = "size" | "reading";

export type BarRow = {
  readonly key: string;
  readonly kind: "word" | "others" | "phrase" | "total";
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly error: number | null;
  readonly span: Span | null;
};

/** With more players than this, the smallest are folded into one row. */
const MOST_ROWS = 14;
const KEPT = 11;

export const canFold = (scores: WordScores): boolean => scores.values.length > MOST_ROWS;

/** End to end from the empty text to the whole one where the values add up to that, else all from zero. */
export function wordRows(
  explanation: Explanation,
  scores: WordScores,
  order: Order,
  open: boolean,
): BarRow[] {
  const names = playerNames(explanation);
  const bySize = scores.values.map((_, player) => player).sort((a, b) => size(scores, b) - size(scores, a));
  const kept = open || !canFold(scores) ? bySize : bySize.slice(0, KEPT);
  const others = bySize.slice(kept.length);
  const shown = order === "size" ? kept : [...kept].sort((a, b) => a - b);
  const chained = addsUp(scores);
  let running = chained ? scores.base : 0;
  const next = (value: number) => {
    const from = chained ? running : 0;
    running += value;
    return { from, to: from + value, value };
  };

  const rows: BarRow[] = shown.map((player) => ({
    key: `word ${player}`,
    kind: "word",
    name: names[player] ?? "",
    ...next(scores.values[player] ?? 0),
    error: errorOf(scores, player),
    span: wordsOf(explanation, player, player + 1),
  }));
  if (others.length > 0) {
    const together = others.reduce((sum, player) => sum + (scores.values[player] ?? 0), 0);
    const name = `${others.length} other ${KINDS[explanation.player_kind] ?? "word"}s`;
    rows.push({ key: "others", kind: "others", name, ...next(together), error: null, span: null });
  }
  if (!chained) return rows;
  const total = (key: string, name: string, value: number): BarRow => {
    return { key, kind: "total", name, from: value, to: value, value, error: null, span: null };
  };
  return [
    total("start", `no ${explanation.player_kind}`, scores.base),
    ...rows,
    total("end", "whole text", scores.full),
  ];
}

/** What phrases made as wholes, each from zero, the strongest first. */
export function phraseRows(explanation: Explanation, scores: WordScores): BarRow[] {
  return [...(scores.phrases ?? [])]
    .sort((a, b) => Math.abs(b.relevance) - Math.abs(a.relevance))
    .map(({ start, end, relevance }) => ({
      key: `phrase ${start} ${end}`,
      kind: "phrase",
      name: phraseOf(explanation, start, end),
      from: 0,
      to: relevance,
      value: relevance,
      error: null,
      span: wordsOf(explanation, start, end),
    }));
}

const size = (scores: WordScores, player: number): number => Math.abs(scores.values[player] ?? 0);
