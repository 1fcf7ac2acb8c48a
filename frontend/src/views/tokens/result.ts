/**
 * What the bars draw: the reading of a result, that is one number for each word, for phrases or for pairs. Every method
 * has one, so this is also the picture of a method that no other view knows.
 */

import appearance from "../../appearance";
import { type Explanation, type PairScore, type SpanScore, wholeError } from "../../explanation";
import { phraseOf, playerNames } from "../../marks";
import type { Table } from "../view";

/** Errors are whole ones: of the coalitions and of the draws. */
export type WordScores = {
  readonly exact: boolean;
  /** In reading order: the players, or what plays as one. */
  readonly words: readonly SpanScore[];
  /** What is made of them, as wholes. */
  readonly phrases: readonly SpanScore[];
  /** What two do together beyond what they do apart, the strongest first. */
  readonly pairs: readonly PairScore[];
  /** The model's values of no words and of all, where they are known. */
  readonly ends: readonly [number, number] | null;
  /** How much of the neighbourhood a linear fit explains (LIME). */
  readonly fit: number | null;
};

/** Values that miss the prediction by more than this share of the picture are drawn from zero, not end to end. */
const ADDS_UP = appearance.thresholds.adds_up;

export function scoresOf({ reading, result }: Explanation): WordScores {
  const { exact, base, full } = reading;
  const spans = reading.spans.map((span) => ({ ...span, error: wholeError(span) }));
  const pairs = reading.pairs.map((pair) => ({ ...pair, error: wholeError(pair) }));
  return {
    exact,
    words: spans.filter(({ level }) => level === 0),
    phrases: spans.filter(({ level }) => level > 0),
    pairs: pairs.sort((one, other) => Math.abs(other.score) - Math.abs(one.score)),
    ends: base === null || full === null ? null : [base, full],
    fit: "r2" in result && typeof result.r2 === "number" ? result.r2 : null,
  };
}

/** Whether the bars lead from the empty text's value to the whole text's. */
export function addsUp({
  words,
  ends,
}: {
  readonly words: readonly { readonly score: number }[];
  readonly ends: readonly [number, number] | null;
}): boolean {
  if (ends === null) return false;
  const [base, full] = ends;
  let [running, lowest, highest] = [base, Math.min(base, full), Math.max(base, full)];
  for (const { score } of words) {
    running += score;
    lowest = Math.min(lowest, running);
    highest = Math.max(highest, running);
  }
  return Math.abs(running - full) <= ADDS_UP * (highest - lowest);
}

export function largest({ reading }: Explanation): number {
  const scored = [...reading.spans, ...reading.pairs];
  return scored.reduce((most, { score }) => Math.max(most, Math.abs(score)), 0);
}

export function table(explanation: Explanation): Table {
  const { words, phrases, pairs, ends } = scoresOf(explanation);
  const row = ({ start, end, score, error }: SpanScore): Table["rows"][number] => [
    nameOf(explanation, start, end),
    score,
    error,
  ];
  return {
    columns: ["text", "value", "standard error"],
    rows: [
      ...(ends ? [["with nothing present", ends[0], null]] : []),
      ...words.map(row),
      ...(ends ? [["whole text", ends[1], null]] : []),
      ...phrases.map(row),
      ...pairs.map((pair) => [pairName(explanation, pair), pair.score, pair.error]),
    ],
  };
}

/** One player by its own name, several as the text has them. */
export function nameOf(explanation: Explanation, start: number, end: number): string {
  return end - start === 1 ? (playerNames(explanation)[start] ?? "") : phraseOf(explanation, start, end);
}

/** Two players and what stands for “together”, as the server's own pictures name them. */
export function pairName(explanation: Explanation, { first, second }: PairScore): string {
  const names = playerNames(explanation);
  return `${names[first] ?? ""} × ${names[second] ?? ""}`;
}
