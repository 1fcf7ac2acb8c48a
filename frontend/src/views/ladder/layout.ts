/**
 * Where everything in the ladder stands. The text is set once; every level repeats it, so that words line up from
 * level to level. Where one line holds the text, or two and there are few levels, each level is written out. Longer
 * texts have all levels as strips without words, and the one being looked at written out above them.
 */

import type { Explanation } from "../../explanation";
import { type Face, type Paragraph, playerNames, setParagraph } from "../../marks";
import type { LadderResult } from "./result";

export const SMALL: Face = { size: 11 };
const NOTES = 112;
const FITS = [
  ...[15, 14, 13].map((size) => ({ size, notes: NOTES })),
  ...[13, 12.5, 12].map((size) => ({ size, notes: 0 })),
];
const WRAPPED = 15;
export const MARGIN = 30;
/** With more lines than this in all, levels become strips. */
const MOST_LINES = 24;
const BETWEEN_LEVELS = 8;
const [THIN, THICK] = [8, 16];
const STRIPS = 380;
const ABOVE = 6;

export type Row = { readonly level: number; readonly y: number; readonly height: number };

export type LadderLayout = {
  readonly width: number;
  readonly height: number;
  readonly face: Face;
  readonly paragraph: Paragraph;
  /** From one line of a written level to its next, and how much of that a block takes. */
  readonly line: number;
  readonly block: number;
  readonly rows: readonly Row[];
  /** Where the level being looked at is written out, if levels are strips. */
  readonly lens: { readonly y: number; readonly line: number } | null;
  /** Edges of the players on the strips, one more than there are players. */
  readonly edges: readonly number[];
  readonly hasNotes: boolean;
};

export function layoutLadder(
  explanation: Explanation,
  result: LadderResult,
  width: number,
  writeAll: boolean,
): LadderLayout {
  const names = playerNames(explanation);
  // Numbers beside the rows are worth smaller words, and one line is worth going without them.
  for (const { size, notes } of FITS) {
    const room = width - MARGIN - notes;
    const paragraph = setParagraph(names, { face: { size }, room, padding: size / 2, gap: 3, stretch: true });
    if (paragraph.lines <= 1) return written(result, paragraph, { size }, width, notes > 0);
  }
  const face = { size: WRAPPED };
  const wrapped = setParagraph(names, { face, padding: 6, gap: 3, room: width - MARGIN });
  // A ladder that still grows must not change its form on the way: HEDGE ends with as many levels as there are players.
  const levels = result.method === "acd" ? result.levels.length : names.length;
  if (writeAll || wrapped.lines * levels <= MOST_LINES) return written(result, wrapped, face, width, false);
  return strips(result, wrapped, face, width, levels);
}

function written(
  result: LadderResult,
  paragraph: Paragraph,
  face: Face,
  width: number,
  hasNotes: boolean,
): LadderLayout {
  const block = Math.round(face.size * 1.75);
  const line = block + (paragraph.lines > 1 ? 2 : 3);
  const step = paragraph.lines * line + (paragraph.lines > 1 ? BETWEEN_LEVELS : 0);
  const rows = result.levels.map((_, level) => ({
    level,
    y: ABOVE + level * step,
    height: paragraph.lines * line - 3,
  }));
  const height = ABOVE + result.levels.length * step + 4;
  return { width, height, face, paragraph, line, block, rows, lens: null, edges: [], hasNotes };
}

function strips(
  result: LadderResult,
  paragraph: Paragraph,
  face: Face,
  width: number,
  levels: number,
): LadderLayout {
  const block = Math.round(face.size * 1.75);
  // Under each line of the lens there is room for numbers.
  const lens = { y: ABOVE, line: block + 19 };
  const top = ABOVE + paragraph.lines * lens.line + 14;
  const thickness = Math.max(THIN, Math.min(THICK, Math.floor(STRIPS / Math.max(1, levels))));
  const rows = result.levels.map((_, level) => ({
    level,
    y: top + level * thickness,
    height: thickness - 1.5,
  }));
  const total = paragraph.slots.reduce((sum, slot) => sum + slot.right - slot.left, 0);
  let edge = MARGIN;
  const scale = (width - MARGIN) / Math.max(1, total);
  const edges = [edge, ...paragraph.slots.map((slot) => (edge += (slot.right - slot.left) * scale))];
  const height = top + result.levels.length * thickness + 4;
  return { width, height, face, paragraph, line: lens.line, block, rows, lens, edges, hasNotes: false };
}
