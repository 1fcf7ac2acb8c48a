/** What the bars draw: one number for each player, from SHAP and every other method that scores words. */

import type { Explanation } from "../../explanation";
import { phraseOf, playerNames } from "../../marks";
import type { Table } from "../view";

export type PhraseScore = { readonly start: number; readonly end: number; readonly relevance: number };

export type WordScores = {
  readonly method: string;
  readonly exact: boolean;
  readonly values: readonly number[];
  readonly standard_errors?: readonly number[] | null;
  readonly base: number;
  readonly full: number;
  /** How much of the neighbourhood a linear fit explains (LIME). */
  readonly r2?: number;
  /** What phrases made as wholes (contextual decomposition). */
  readonly phrases?: readonly PhraseScore[];
};

/** Values that miss the prediction by more than this share of the picture are drawn from zero, not end to end. */
const ADDS_UP = 0.01;

/** Standard errors to either side that hold the value in 95 of 100 draws. */
export const NINETY_FIVE = 1.959964;

export function scoresOf({ result }: Explanation): WordScores | null {
  return "values" in result && "base" in result && "full" in result
    ? (result as unknown as WordScores)
    : null;
}

/** Whether the bars lead from the empty text's value to the whole text's. */
export function addsUp({ values, base, full }: WordScores): boolean {
  let [running, lowest, highest] = [base, Math.min(base, full), Math.max(base, full)];
  for (const value of values) {
    running += value;
    lowest = Math.min(lowest, running);
    highest = Math.max(highest, running);
  }
  return Math.abs(running - full) <= ADDS_UP * (highest - lowest);
}

/** The standard error of a value, or null where it is exact or has none. */
export function errorOf(scores: WordScores, player: number): number | null {
  return scores.exact ? null : (scores.standard_errors?.[player] ?? null);
}

export function largest(explanation: Explanation): number {
  const scores = scoresOf(explanation);
  const phrases = scores?.phrases?.map((phrase) => phrase.relevance) ?? [];
  return [...(scores?.values ?? []), ...phrases].reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

export function table(explanation: Explanation): Table {
  const scores = scoresOf(explanation);
  const columns = ["text", "value", "standard error"];
  if (scores === null) return { columns, rows: [] };
  const rows: Table["rows"] = [["with nothing present", scores.base, null]];
  playerNames(explanation).forEach((name, player) => {
    rows.push([name, scores.values[player] ?? null, errorOf(scores, player)]);
  });
  rows.push(["whole text", scores.full, null]);
  for (const { start, end, relevance } of scores.phrases ?? [])
    rows.push([phraseOf(explanation, start, end), relevance, null]);
  return { columns, rows };
}
