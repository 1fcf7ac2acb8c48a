/** Rows in words: what the readout and screen readers say. */

import type { Explanation } from "../../explanation";
import { type Numbers, numbersLike, quoted } from "../../marks";
import type { Span } from "../../spans";
import type { LevelReading } from "./levels";
import type { Pair } from "./result";

/** R² is a share: two decimals. */
export const R2 = numbersLike([1]);

export function spansOf({ players }: Pick<Explanation, "players">): Span[] {
  return players.map(({ start, end }): Span => [start, end]);
}

export function sayLevel(
  { level, term, apart, together }: LevelReading,
  before: number,
  names: readonly string[],
  kind: string,
  target: string,
  numbers: Numbers,
): string {
  const share = `${R2.plain(level.r2_held_out)}${R2.error(level.r2_standard_error)}`;
  if (!term)
    return `Single ${kind} alone explain how the model answers around this text with a held-out R² of ${share}.`;
  return (
    `${group(names, term.players)}: added up ${numbers.signed(apart)} for ${target}, together ${numbers.signed(together)} · ` +
    `this interaction brings ${numbers.signed(term.contribution)}${numbers.error(term.standard_error)} · ` +
    `held-out R² ${R2.plain(before)} → ${share}`
  );
}

export function sayPair(pair: Pair, names: readonly string[], target: string, numbers: Numbers): string {
  return (
    `${group(names, pair.players)} together are ${numbers.signed(pair.in_full_text)} for ${target} off their sum in the text, ` +
    `${numbers.signed(pair.alone)} with all others absent.`
  );
}

export function sayIsland(
  players: readonly number[],
  contribution: number,
  names: readonly string[],
  target: string,
  numbers: Numbers,
): string {
  return `${group(names, players)} belong together: with all others absent they say ${numbers.signed(contribution)} for ${target}.`;
}

function group(names: readonly string[], players: readonly number[]): string {
  const called = players.map((player) => quoted(names[player] ?? ""));
  return called.length < 2 ? called.join("") : `${called.slice(0, -1).join(", ")} and ${called.at(-1)}`;
}
