/**
 * MAHE's levels in the reader's terms: what the words of an interaction say one by one, and what they say together.
 *
 * At a level the model is a sum: intercept and bias, a weight for each word (linear part plus the level's correction), and
 * a term for each interaction so far, which is 0 while at most one of its words is there. So a word alone says its weight,
 * and some words together say their weights plus whatever of all terms they make up, which with overlapping interactions
 * is more than the one term that has exactly these words.
 */

import type { MaheLevel, MaheResult, MaheTerm } from "./result";

export interface LevelReading {
  index: number;
  level: MaheLevel;
  /** The term that is new at this level; the first level has none. */
  term: MaheTerm | null;
  /** Weight of every player at this level. */
  weights: readonly number[];
  /** The new term's players added up, and what they say together. */
  apart: number;
  together: number;
}

/** A presence of an interaction's words, with the term's value and what the present words say in all. */
export interface Cell {
  present: readonly boolean[];
  term: number;
  says: number;
}

export function readLevels(result: MaheResult): LevelReading[] {
  return result.levels.map((level, index) => {
    const weights = weightsAt(result, level);
    const term = level.terms.find(({ players }) => same(players, level.added)) ?? null;
    const players = term?.players ?? [];
    const apart = players.reduce((sum, player) => sum + (weights[player] ?? 0), 0);
    return { index, level, term, weights, apart, together: apart + shared(level, players) };
  });
}

function weightsAt(result: MaheResult, level: MaheLevel): number[] {
  return result.coefficients.map((coefficient, player) => coefficient + (level.corrections[player] ?? 0));
}

/** What the level's terms say when just these players are there. */
export function shared(level: MaheLevel, players: readonly number[]): number {
  return level.terms.reduce((sum, term) => sum + (term.cells[cellOf(term.players, players)] ?? 0), 0);
}

/** Which cell of a term it is when just these players are there: counted in binary, the last player fastest. */
function cellOf(termPlayers: readonly number[], there: readonly number[]): number {
  return termPlayers.reduce((cell, player) => 2 * cell + (there.includes(player) ? 1 : 0), 0);
}

/** All presences of the words of a level's new interaction, nobody first. */
export function cellsOf({ level, term, weights }: LevelReading): Cell[] {
  if (!term) return [];
  const { players, cells } = term;
  return cells.map((value, cell) => {
    const present = players.map((_, place) => ((cell >> (players.length - 1 - place)) & 1) === 1);
    const there = players.filter((_, place) => present[place]);
    const alone = there.reduce((sum, player) => sum + (weights[player] ?? 0), 0);
    return { present, term: value, says: alone + shared(level, there) };
  });
}

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((player, place) => player === other[place]);
}
