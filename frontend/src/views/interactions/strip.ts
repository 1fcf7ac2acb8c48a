/**
 * The sentence as a strip that every row shares, so that the same word is at the same place in all of them.
 *
 * Where the words fit they are written out. Where they do not the strip is drawn to scale, like a map, and only words that
 * take part in something are named.
 */

import { fitted, textWidth } from "../../marks";

export const WORD_FACE = { size: 13 };
const PADDING = 6;
const LEAST_GAP = 3;
const MOST_GAP = 22;
const LONGEST_WORD = 150;

export interface Place {
  left: number;
  width: number;
}

export interface Strip {
  left: number;
  width: number;
  /** Whether every word is written out. */
  readable: boolean;
  names: readonly string[];
  places: readonly Place[];
}

export interface Pill extends Place {
  player: number;
  text: string;
  /** Where the word really is. */
  at: number;
}

export function placeStrip(texts: readonly string[], left: number, room: number): Strip {
  const names = texts.map((text) => fitted(text, LONGEST_WORD, WORD_FACE));
  const widths = names.map((name) => textWidth(name, WORD_FACE) + 2 * PADDING);
  const taken = widths.reduce((sum, width) => sum + width, 0);
  const between = Math.max(1, names.length - 1);
  const gap = Math.min(MOST_GAP, (room - taken) / between);
  const readable = gap >= LEAST_GAP;
  // On a map the words keep their proportions and share what room there is.
  const scale = readable ? 1 : room / (taken + LEAST_GAP * between);
  let at = left;
  const places = widths.map((width) => {
    const place = { left: at, width: width * scale };
    at += place.width + (readable ? gap : LEAST_GAP * scale);
    return place;
  });
  return { left, width: readable ? taken + gap * between : room, readable, names, places };
}

/** Names of some players at their places, moved apart where they would cover each other. */
export function placePills(strip: Strip, players: readonly number[]): Pill[] {
  const pills = players.map((player) => {
    const place = strip.places[player] ?? { left: strip.left, width: 0 };
    const text = strip.names[player] ?? "";
    const at = place.left + place.width / 2;
    const width = textWidth(text, WORD_FACE) + 2 * PADDING;
    return { player, text, at, width, left: at - width / 2 };
  });
  let edge = strip.left;
  for (const pill of pills) {
    pill.left = Math.max(pill.left, edge);
    edge = pill.left + pill.width + LEAST_GAP;
  }
  edge = strip.left + strip.width;
  for (const pill of [...pills].reverse()) {
    pill.left = Math.min(pill.left, edge - pill.width);
    edge = pill.left - LEAST_GAP;
  }
  return pills;
}

/** Share of the loudest word's value below which a word is not worth a name of its own on a map. */
const LOUD = 0.12;

/** Who is named in the first row: everybody where words are written out, else the loudest that fit at their own places. */
export function whoIsNamed(strip: Strip, values: readonly number[]): number[] {
  if (strip.readable) return strip.names.map((_, player) => player);
  const loudness = (player: number) => Math.abs(values[player] ?? 0);
  const order = values.map((_, player) => player).sort((one, other) => loudness(other) - loudness(one));
  const kept: Pill[] = [];
  for (const player of order) {
    if (loudness(player) < LOUD * loudness(order[0] ?? 0)) break;
    const [pill] = placePills(strip, [player]);
    if (
      pill &&
      kept.every((other) => pill.left > other.left + other.width || pill.left + pill.width < other.left)
    )
      kept.push(pill);
  }
  return kept.map((pill) => pill.player).sort((one, other) => one - other);
}
