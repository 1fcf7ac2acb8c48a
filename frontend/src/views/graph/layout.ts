/**
 * Where words and arrows are: words on one line, arrows to the right above it and arrows to the left below.
 *
 * Arrows over the same words get lanes of their own, short ones inside long ones, so that no two run along each other and
 * each has room for its numbers. Where arrows meet a word they are spread over its width.
 */

import type { Arrow, Node } from "./arrows";

const MOST_GAP = 26;
const EDGE = 4;

/** From the sizes one would like to those that are just readable, and what a word takes that is only hinted at; what does not fit even so scrolls. */
const FITS = [
  { smallest: 13.5, largest: 20, padding: 8, gap: 6, hint: 8, hintGap: 2 },
  { smallest: 13, largest: 18, padding: 6.5, gap: 5, hint: 6, hintGap: 2 },
  { smallest: 12.5, largest: 16.5, padding: 5, gap: 3, hint: 3, hintGap: 1 },
] as const;

/** Height of a lane that can carry numbers, and the height that all lanes of a side share when there are many. */
const LANE = 30;
const LEAST_LANE = 5;
const FIRST_LANE = 34;
const HIGHEST = 290;

/** Lanes closer than this leave no room for numbers. */
export const ROOM_FOR_NUMBERS = 19;

export interface Box {
  left: number;
  width: number;
  height: number;
  centre: number;
  size: number;
  /** Whether the word is only hinted at, because it has no arrows and there is no room. */
  hinted: boolean;
}

export interface Line {
  boxes: readonly Box[];
  width: number;
  /** Whether words are hinted at. */
  thinned: boolean;
  /** Height of the tallest word. */
  height: number;
}

export interface Course {
  arrow: Arrow;
  above: boolean;
  start: number;
  end: number;
  /** How far the top of the arrow is from the words. */
  height: number;
  labelled: boolean;
}

/**
 * Words in reading order; a word is the larger the more arrows lead to it (PageRank).
 *
 * Where they do not fit even in small letters, words that are not `wanted` are only hinted at, those that say least first.
 */
export function placeWords(
  nodes: readonly Node[],
  available: number,
  measure: (text: string, size: number) => number,
  wanted?: ReadonlySet<number>,
): Line {
  const highest = Math.max(...nodes.map((node) => node.pagerank)) || 1;
  const place = (fit: Fit, written: ReadonlySet<number> | null): Placed => {
    const words = nodes.map(({ index, text, pagerank }) => {
      const size = fit.smallest + (fit.largest - fit.smallest) * Math.sqrt(pagerank / highest);
      const hinted = written?.has(index) === false;
      return { size, hinted, width: hinted ? fit.hint : measure(text, size) + 2 * fit.padding };
    });
    const gaps = words
      .slice(1)
      .map((word, before) => (word.hinted && words[before]?.hinted ? fit.hintGap : fit.gap));
    return { fit, words, gaps, needed: sum(words.map(({ width }) => width)) + sum(gaps) + 2 * EDGE };
  };
  const fits = ({ needed }: Placed) => needed <= available;
  const small = FITS[2];
  const chosen =
    FITS.map((fit) => place(fit, null)).find(fits) ??
    (wanted ? writeMore(nodes, wanted, (written) => place(small, written), fits) : place(small, null));
  const { fit, words, gaps, needed } = chosen;
  const thinned = words.some((word) => word.hinted);
  // What is left over widens the gaps, but not so far that a short text falls apart.
  const wider = Math.max(0, Math.min(MOST_GAP - fit.gap, (available - needed) / Math.max(1, gaps.length)));
  let left = EDGE + Math.max(0, (available - needed - wider * gaps.length) / 2);
  const boxes = words.map((word, index) => {
    const box = { ...word, left, height: word.size * 1.25 + 9, centre: left + word.width / 2 };
    left += word.width + (gaps[index] ?? 0) + wider;
    return box;
  });
  return { boxes, thinned, width: Math.max(available, needed), height: fit.largest * 1.25 + 9 };
}

type Fit = (typeof FITS)[number];

interface Placed {
  fit: Fit;
  words: readonly { size: number; hinted: boolean; width: number }[];
  gaps: readonly number[];
  needed: number;
}

/** The wanted words, and of the others as many as there is room for, those that say most first. */
function writeMore(
  nodes: readonly Node[],
  wanted: ReadonlySet<number>,
  place: (written: ReadonlySet<number>) => Placed,
  fits: (placed: Placed) => boolean,
): Placed {
  const written = new Set(wanted);
  let placed = place(written);
  const loudness = ({ value, pagerank }: Node) => (value === null ? pagerank : Math.abs(value));
  const others = nodes.filter(({ index }) => !wanted.has(index)).sort((a, b) => loudness(b) - loudness(a));
  for (const { index } of fits(placed) ? others : []) {
    written.add(index);
    const larger = place(written);
    if (fits(larger)) placed = larger;
    else written.delete(index);
  }
  return placed;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The courses of arrows over a line of words, and how high they reach on either side. */
export function placeArrows(
  arrows: readonly Arrow[],
  line: Line,
  labelWidth: (arrow: Arrow) => number,
): { courses: Course[]; above: number; below: number } {
  const sides = [true, false].map((above) =>
    placeSide(
      arrows.filter(({ given, adds }) => given < adds === above),
      above,
      line,
      labelWidth,
    ),
  );
  const reach = (courses: readonly Course[]) => Math.max(0, ...courses.map((course) => course.height));
  const [above = [], below = []] = sides;
  return { courses: [...above, ...below], above: reach(above), below: reach(below) };
}

function placeSide(
  arrows: readonly Arrow[],
  above: boolean,
  line: Line,
  labelWidth: (arrow: Arrow) => number,
): Course[] {
  const ports = spreadPorts(arrows, line);
  const placed = arrows.map((arrow, index) => ({ arrow, ...(ports[index] ?? { start: 0, end: 0 }) }));
  const lanes = assignLanes(
    placed.map(({ arrow, start, end }) => {
      const room = Math.max(Math.abs(end - start), labelWidth(arrow)) / 2 + 3;
      return { from: (start + end) / 2 - room, to: (start + end) / 2 + room };
    }),
  );
  const count = Math.max(1, ...lanes.map((lane) => lane + 1));
  const pitch = Math.max(LEAST_LANE, Math.min(LANE, (HIGHEST - FIRST_LANE) / Math.max(1, count - 1)));
  return placed.map((course, index) => ({
    ...course,
    above,
    height: FIRST_LANE + pitch * (lanes[index] ?? 0),
    labelled: pitch >= ROOM_FOR_NUMBERS,
  }));
}

/** Lowest lane for each range such that no range runs over another in its lane, and short ones run below long ones. */
export function assignLanes(ranges: readonly { from: number; to: number }[]): number[] {
  const lanes = new Array<number>(ranges.length).fill(0);
  const length = (index: number) => (ranges[index]?.to ?? 0) - (ranges[index]?.from ?? 0);
  const order = ranges
    .map((_, index) => index)
    .sort((one, other) => length(one) - length(other) || one - other);
  order.forEach((index, place) => {
    const range = ranges[index];
    if (!range) return;
    const under = order.slice(0, place).filter((earlier) => {
      const other = ranges[earlier];
      return other && other.from < range.to && other.to > range.from;
    });
    lanes[index] = Math.max(0, ...under.map((earlier) => (lanes[earlier] ?? 0) + 1));
  });
  return lanes;
}

/** Where arrows of one side leave and meet their words: in the order of their other ends, so that they do not cross. */
function spreadPorts(arrows: readonly Arrow[], line: Line): { start: number; end: number }[] {
  const ends = arrows.flatMap(({ given, adds }, index) => [
    { index, node: given, other: adds, end: "start" as const },
    { index, node: adds, other: given, end: "end" as const },
  ]);
  const ports = arrows.map(() => ({ start: 0, end: 0 }));
  line.boxes.forEach((box, node) => {
    // From the left: arrows to the left, the nearest first; then arrows to the right, the farthest first.
    const mine = ends
      .filter((end) => end.node === node)
      .sort((one, other) => side(one) - side(other) || other.other - one.other);
    const room = Math.min(box.width - 10, 13 * (mine.length - 1));
    mine.forEach(({ index, end }, place) => {
      const port = ports[index];
      const offset = mine.length > 1 ? room * (place / (mine.length - 1) - 0.5) : 0;
      if (port) port[end] = box.centre + offset;
    });
  });
  return ports;
}

function side({ node, other }: { node: number; other: number }): number {
  return other < node ? 0 : 1;
}

/** How much of a quarter of an ellipse the handles of a Bézier curve take that looks like one. */
const ROUND = 0.5523;

/**
 * A bridge from one word to another: up in a quarter of an ellipse, level at `top`, down in another one. Bridges in
 * different lanes so run level beside each other. It stops `headroom` before the second word.
 */
export function bridge(
  { start, end, above }: Course,
  startY: number,
  endY: number,
  top: number,
  headroom: number,
): string {
  const stop = endY + (above ? -headroom : headroom);
  const bend =
    Math.min(Math.abs(end - start) / 2, Math.max(16, Math.abs(top - stop) * 0.62)) * Math.sign(end - start);
  const rise = (from: number) => from + (top - from) * ROUND;
  const near = (from: number, by: number) => f(from + by * (1 - ROUND));
  return [
    `M${f(start)} ${f(startY)}`,
    `C${f(start)} ${f(rise(startY))} ${near(start, bend)} ${f(top)} ${f(start + bend)} ${f(top)}`,
    `H${f(end - bend)}`,
    `C${near(end, -bend)} ${f(top)} ${f(end)} ${f(rise(stop))} ${f(end)} ${f(stop)}`,
  ].join("");
}

/** Coordinates carry no more than pictures can show; the numbers themselves are in data attributes. */
export function f(value: number): string {
  return String(Math.round(value * 10) / 10);
}
