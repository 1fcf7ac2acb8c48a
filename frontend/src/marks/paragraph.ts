/**
 * A text set in lines: where each piece stands. Pieces keep their places whatever is drawn on them, so that levels of
 * a ladder, or bars and heat, line up with one another.
 */
import { type Face, fitted, textWidth } from "./measure";

export type Slot = {
  readonly text: string;
  readonly line: number;
  readonly left: number;
  readonly right: number;
};
export type Paragraph = { readonly slots: readonly Slot[]; readonly lines: number; readonly width: number };

type Options = {
  face: Face;
  room: number;
  /** Around the text of a piece, and between pieces. */
  padding: number;
  gap: number;
  /** Whether a single line is stretched to the room there is. */
  stretch?: boolean;
};

const MOST_STRETCH = 1.35;

export function setParagraph(
  pieces: readonly string[],
  { face, room, padding, gap, stretch = false }: Options,
): Paragraph {
  const texts = pieces.map((piece) => fitted(piece, room - 2 * padding, face));
  const widths = texts.map((text) => textWidth(text, face) + 2 * padding);
  const natural = widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1));
  const spare = stretch && natural < room ? Math.min(room, natural * MOST_STRETCH) - natural : 0;
  const more = spare / Math.max(1, widths.length);
  const slots: Slot[] = [];
  let [line, left, widest] = [0, 0, 0];
  texts.forEach((text, index) => {
    const width = (widths[index] ?? 0) + more;
    if (left > 0 && left + width > room + 0.5) [line, left] = [line + 1, 0];
    slots.push({ text, line, left, right: left + width });
    widest = Math.max(widest, left + width);
    left += width + gap;
  });
  return { slots, lines: texts.length === 0 ? 0 : line + 1, width: widest };
}

/** A run of pieces on one line, as part of a block that may go on before and after it. */
export type Stretch = {
  readonly line: number;
  readonly left: number;
  readonly right: number;
  readonly start: number;
  readonly end: number;
  readonly opens: boolean;
  readonly closes: boolean;
};

/** Pieces from `start` up to `end`, line by line. */
export function stretches({ slots }: Paragraph, start: number, end: number): Stretch[] {
  const found: Stretch[] = [];
  for (let from = start; from < end; ) {
    const line = slots[from]?.line ?? 0;
    let to = from + 1;
    while (to < end && slots[to]?.line === line) to++;
    found.push({
      line,
      left: slots[from]?.left ?? 0,
      right: slots[to - 1]?.right ?? 0,
      start: from,
      end: to,
      opens: from === start,
      closes: to === end,
    });
    from = to;
  }
  return found;
}

/** A rectangle whose corners are round only where its block begins or ends. */
export function blockCourse(
  { left, right, opens, closes }: Stretch,
  top: number,
  height: number,
  radius: number,
): string {
  const [start, end] = [opens ? radius : 0, closes ? radius : 0];
  const bottom = top + height;
  const fixed = (length: number) => Math.round(length * 10) / 10;
  const [l, r, t, b] = [fixed(left), fixed(right), fixed(top), fixed(bottom)];
  return (
    `M${fixed(l + start)} ${t}H${fixed(r - end)}${end ? `q${end} 0 ${end} ${end}` : ""}V${fixed(b - end)}` +
    `${end ? `q0 ${end} ${-end} ${end}` : ""}H${fixed(l + start)}` +
    `${start ? `q${-start} 0 ${-start} ${-start}` : ""}V${fixed(t + start)}${start ? `q0 ${-start} ${start} ${-start}` : ""}Z`
  );
}
