/** Where the columns of a row are: side by side where there is room, else numbers above the words. */

import { placeStrip, type Strip } from "./strip";

const SIDE_BY_SIDE = 860;
const LEFT = 132;
const GAP = 26;
/** Between both on a narrow screen: what words say one by one and together, “−0.48 → +0.33”. */
const SUM = 104;
const SHORTEST_LEFT = 60;

export interface Frame {
  width: number;
  strip: Strip;
  rowHeight: number;
  /** The middle of the words, from the top of a row. */
  middle: number;
  left: { x: number; y: number; width: number };
  right: { x: number; y: number };
}

/** `numbered` keeps room for numbers under the words. */
export function frameOf(names: readonly string[], width: number, right: number, numbered: boolean): Frame {
  if (width >= SIDE_BY_SIDE) {
    const room = width - LEFT - right - 2 * GAP;
    const strip = placeStrip(names, LEFT + GAP, room);
    return {
      width,
      strip,
      rowHeight: numbered ? 58 : 46,
      middle: 24,
      left: { x: 0, y: 4, width: LEFT },
      right: { x: width - right, y: 24 },
    };
  }
  return {
    width,
    strip: placeStrip(names, 0, width),
    rowHeight: numbered ? 94 : 82,
    middle: 57,
    left: { x: 0, y: 6, width: Math.max(SHORTEST_LEFT, Math.min(LEFT, width - right - SUM)) },
    right: { x: width - right, y: 21 },
  };
}
