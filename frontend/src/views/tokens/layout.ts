/** Where the bars and the text above them stand. */

import { scaleLinear } from "d3-scale";
import type { Explanation } from "../../explanation";
import {
  type Face,
  fitted,
  NINETY_FIVE,
  type Numbers,
  numbersLike,
  type Paragraph,
  playerNames,
  SERIF,
  setParagraph,
  textWidth,
} from "../../marks";
import type { WordScores } from "./result";
import { type BarRow, type Order, pairRows, phraseRows, wordRows } from "./rows";

export const TEXT: Face = { size: 17, family: SERIF };
export const TEXT_LINE = 31;
export const TEXT_BLOCK = 26;
export const NAME: Face = { size: 14 };
export const NUMBER: Face = { size: 12 };
const [ROW, DENSE_ROW, MANY] = [27, 22, 24];
const AFTER_TEXT = 22;
const BETWEEN_BLOCKS = 34;
const LABEL_GAP = 12;

export type PlacedRow = BarRow & {
  readonly label: string;
  readonly y: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Where the bar ends, and how far its whisker reaches. */
  readonly end: number;
  readonly reach: number;
  readonly number: string;
  readonly numberX: number;
};

export type BarBlock = {
  readonly title: string | null;
  readonly titleY: number;
  readonly rows: readonly PlacedRow[];
  readonly labelX: number;
  /** Lines from top to bottom: where nothing is known, or zero. */
  readonly originX: number;
  readonly top: number;
  readonly bottom: number;
};

export type TokensLayout = {
  readonly width: number;
  readonly height: number;
  readonly text: Paragraph;
  /** Bars of words, of phrases as wholes and of pairs, each kind on an axis of its own; those that there are. */
  readonly blocks: readonly BarBlock[];
  readonly numbers: Numbers;
};

export function layoutTokens(
  explanation: Explanation,
  scores: WordScores,
  width: number,
  order: Order,
  open: boolean,
): TokensLayout {
  const numbers = numbersLike(
    (scores.words.length > 0 ? scores.words : scores.pairs).map(({ score }) => score),
  );
  const text = setParagraph(playerNames(explanation), { face: TEXT, room: width, padding: 4, gap: 2 });
  const kinds = [
    { title: null, rows: wordRows(explanation, scores, order, open), numbers },
    { title: "phrases as wholes", rows: phraseRows(explanation, scores), numbers },
    {
      title: "pairs",
      rows: pairRows(explanation, scores),
      numbers: numbersLike(scores.pairs.map(({ score }) => score)),
    },
  ];
  const blocks: BarBlock[] = [];
  let top = text.lines * TEXT_LINE + AFTER_TEXT;
  for (const kind of kinds) {
    if (kind.rows.length === 0) continue;
    const placed = block(kind.rows, width, top, kind.numbers, kind.title);
    blocks.push(placed);
    top = placed.bottom + BETWEEN_BLOCKS;
  }
  return { width, height: top - BETWEEN_BLOCKS + 6, text, blocks, numbers };
}

function block(
  rows: readonly BarRow[],
  width: number,
  top: number,
  numbers: Numbers,
  title: string | null,
): BarBlock {
  const widest = Math.max(...rows.map((row) => textWidth(row.name, NAME)), 0);
  const labelX = Math.ceil(Math.min(widest, Math.max(84, 0.34 * width)));
  const written = rows.map((row) =>
    row.kind === "total" ? numbers.plain(row.value) : numbers.signed(row.value),
  );
  const numberRoom = Math.max(...written.map((number) => textWidth(number, NUMBER)), 0) + 10;
  const reaches = rows.map((row) => NINETY_FIVE * (row.error ?? 0));
  const places = rows.flatMap((row, index) => [
    row.from,
    row.to - (reaches[index] ?? 0),
    row.to + (reaches[index] ?? 0),
  ]);
  const axis = scaleLinear()
    .domain([Math.min(...places), Math.max(...places)])
    .range([labelX + LABEL_GAP, width - numberRoom]);
  const height = rows.length > MANY ? DENSE_ROW : ROW;
  const first = top + (title === null ? 0 : 12);
  const placed = rows.map((row, index): PlacedRow => {
    const [start, end] = [axis(row.from), axis(row.to)];
    const reach = Math.abs(axis(row.to + (reaches[index] ?? 0)) - end);
    const right = Math.max(start, end);
    return {
      ...row,
      label: fitted(row.name, labelX, NAME),
      y: first + index * height,
      height,
      left: Math.min(start, end),
      right,
      end,
      reach,
      number: written[index] ?? "",
      numberX: Math.max(right, end + reach) + 7,
    };
  });
  const origin = axis(rows[0]?.from ?? 0);
  return {
    title,
    titleY: top,
    rows: placed,
    labelX,
    originX: origin,
    top: first,
    bottom: first + rows.length * height,
  };
}
