/**
 * Where everything in the tree stands. Words share the ground in reading order, every phrase hangs centred above its
 * children, at its height above the words. Edges run as arms do on an espalier: down a little from the phrase, level
 * along the wall, and straight down to each child. So no edge crosses another or a node.
 */

import type { Explanation } from "../../explanation";
import { type Face, numbersLike, phraseOf, playerNames, shortened, textWidth } from "../../marks";
import { type Span, wordsOf } from "../view";
import { type Folded, parentsOf } from "./fold";
import { isAddedRoot, isWord, scoreOf, type TreeResult } from "./result";

export const WORD: Face = { size: 15 };
export const SCORE: Face = { size: 12.5, weight: 600 };
export const SMALL: Face = { size: 11 };
export const WORD_HEIGHT = 30;
export const PILL_HEIGHT = 24;

const PADDING = 8;
const [NARROW_GAP, WIDE_GAP] = [6, 16];
const [LOW_ROW, HIGH_ROW] = [36, 48];
/** Heights the picture would like to have above the words; deeper trees get lower rows. */
const COMFORTABLE = 420;
const BELOW_WORDS = 34;
const BETWEEN_SENTENCES = 26;
const STACK_INDENT = 22;
const LONGEST_FOLDED = 24;
const LONGEST_WORD = 40;
const NO_SCORE = "·";

export type Kind = "word" | "phrase" | "folded";

export type PlacedNode = {
  index: number;
  kind: Kind;
  span: Span;
  /** Centre. */
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  number: string;
  label: string;
  score: number | null;
  value: number;
  absolute: number | null;
  phrase: string;
  /** As role="tree" counts: depth below the root from 1, place among the siblings. */
  level: number;
  place: number;
  siblings: number;
};

export type Arms = { index: number; score: number | null; course: string };

export type TreeLayout = {
  width: number;
  height: number;
  nodes: readonly PlacedNode[];
  arms: readonly Arms[];
  /** Heights above the words, for the ruler. */
  rows: readonly { height: number; y: number }[];
  /** Where each word stands, for the line under what is pointed at: left and right edge, and the line's height. */
  ground: readonly { span: Span; left: number; right: number; y: number }[];
};

export function layoutTree(
  explanation: Explanation,
  result: TreeResult,
  folded: Folded,
  width: number,
): TreeLayout {
  return new Builder(explanation, result, folded, width).layout();
}

class Builder {
  private readonly names: string[];
  private readonly numbers;
  private readonly heights: number[];
  private readonly nodes: PlacedNode[] = [];
  private readonly arms: Arms[] = [];
  private readonly rows: { height: number; y: number }[] = [];
  private readonly ground: { span: Span; left: number; right: number; y: number }[] = [];

  constructor(
    private readonly explanation: Explanation,
    private readonly result: TreeResult,
    private readonly folded: Folded,
    private readonly room: number,
  ) {
    this.names = playerNames(explanation);
    this.numbers = numbersLike(result.nodes.map((node) => scoreOf(result, node) ?? 0));
    this.heights = this.measureHeights();
  }

  layout(): TreeLayout {
    const root = this.result.nodes[0];
    if (root === undefined) return { width: 0, height: 0, nodes: [], arms: [], rows: [], ground: [] };
    const natural = this.naturalWidth(0);
    const stacked = isAddedRoot(root) && this.shownChildren(0).length > 1 && natural > this.room;
    const size = stacked ? this.stack() : this.block(0, 0, 0, this.room, 1);
    return {
      ...size,
      nodes: this.nodes.sort((a, b) => a.index - b.index),
      arms: this.arms,
      rows: this.rows,
      ground: this.ground,
    };
  }

  /** Sentences below one another, their common root as a trunk along the left. */
  private stack(): { width: number; height: number } {
    const sentences = this.shownChildren(0);
    const root = this.add(0, 0, PILL_HEIGHT / 2, 1, 1, 1);
    root.x = root.width / 2;
    const trunk = Math.min(root.x, 14);
    let [width, y] = [root.width + 120, PILL_HEIGHT + 14];
    let course = "";
    sentences.forEach((sentence, place) => {
      const before = this.nodes.length;
      const size = this.block(
        sentence,
        STACK_INDENT + 12,
        y,
        this.room - STACK_INDENT - 12,
        2,
        place + 1,
        sentences.length,
      );
      const top = this.nodes.slice(before).find((node) => node.index === sentence);
      if (top !== undefined)
        course += `M${trunk} ${PILL_HEIGHT}V${round(top.y - 7)}q0 7 7 7H${round(top.x - top.width / 2)}`;
      width = Math.max(width, STACK_INDENT + 12 + size.width);
      y += size.height + BETWEEN_SENTENCES;
    });
    this.arms.push({ index: 0, score: root.score, course });
    return { width, height: y - BETWEEN_SENTENCES };
  }

  /** The subtree of one node with its words on one ground. */
  private block(top: number, left: number, y: number, room: number, level: number, place = 1, siblings = 1) {
    const natural = this.naturalWidth(top);
    const leaves = this.leavesOf(top);
    const spare = Math.max(0, room - natural);
    const gap = NARROW_GAP + Math.min(WIDE_GAP - NARROW_GAP, spare / Math.max(1, leaves.length - 1));
    const used = natural + (gap - NARROW_GAP) * (leaves.length - 1);
    const height = this.heights[top] ?? 1;
    const row = Math.max(LOW_ROW, Math.min(HIGH_ROW, COMFORTABLE / Math.max(1, height - 1)));
    const ground = y + (height - 1) * row + WORD_HEIGHT / 2;
    const heightToY = (above: number) => ground - (above - 1) * row;

    const centres = new Map<number, number>();
    let edge = left + Math.max(0, (room - used) / 2);
    for (const leaf of leaves) {
      const wide = this.leafWidth(leaf);
      centres.set(leaf, edge + wide / 2);
      this.ground.push({
        span: this.spanOf(leaf),
        left: edge,
        right: edge + wide,
        y: ground + WORD_HEIGHT / 2 + 20,
      });
      edge += wide + gap;
    }
    this.place(top, centres, heightToY, level, place, siblings);
    this.hang(top, centres, heightToY, row);
    for (let above = 1; above <= height; above++) this.rows.push({ height: above, y: heightToY(above) });
    return { width: Math.max(used, room), height: ground - y + WORD_HEIGHT / 2 + BELOW_WORDS };
  }

  private place(
    index: number,
    centres: Map<number, number>,
    heightToY: (above: number) => number,
    level: number,
    place: number,
    siblings: number,
  ): number {
    const children = this.shownChildren(index);
    const placed = children.map((child, order) =>
      this.place(child, centres, heightToY, level + 1, order + 1, children.length),
    );
    const x = centres.get(index) ?? ((placed[0] ?? 0) + (placed.at(-1) ?? 0)) / 2;
    centres.set(index, x);
    this.add(index, x, heightToY(this.heights[index] ?? 1), level, place, siblings);
    return x;
  }

  private add(
    index: number,
    x: number,
    y: number,
    level: number,
    place: number,
    siblings: number,
  ): PlacedNode {
    const node = this.node(index);
    const kind: Kind = isWord(node) ? "word" : this.folded.has(index) ? "folded" : "phrase";
    const score = scoreOf(this.result, node);
    const number = score === null ? NO_SCORE : this.numbers.signed(score);
    const phrase = phraseOf(this.explanation, node.start, node.end);
    const placed: PlacedNode = {
      index,
      kind,
      span: this.spanOf(index),
      x,
      y,
      width: kind === "phrase" ? textWidth(number, SCORE) + 16 : this.leafWidth(index),
      height: kind === "phrase" ? PILL_HEIGHT : WORD_HEIGHT,
      text: kind === "phrase" ? number : this.leafText(index),
      number,
      label: isWord(node) ? "" : isAddedRoot(node) ? "all sentences together" : node.labels.join("·"),
      score,
      value: node.value,
      absolute: node.absolute,
      phrase,
      level,
      place,
      siblings,
    };
    this.nodes.push(placed);
    return placed;
  }

  private hang(
    top: number,
    centres: Map<number, number>,
    heightToY: (above: number) => number,
    row: number,
  ): void {
    const children = this.shownChildren(top);
    if (children.length === 0) return;
    const x = centres.get(top) ?? 0;
    const from = heightToY(this.heights[top] ?? 1) + PILL_HEIGHT / 2;
    const drop = row - PILL_HEIGHT / 2 - WORD_HEIGHT / 2;
    const arm = from + 0.5 * drop;
    let course = "";
    for (const child of children) {
      const below = centres.get(child) ?? 0;
      const half = this.shownChildren(child).length > 0 ? PILL_HEIGHT / 2 : WORD_HEIGHT / 2;
      const to = heightToY(this.heights[child] ?? 1) - half;
      const bend = Math.min(6, 0.45 * drop, Math.abs(below - x) / 2);
      const way = Math.sign(below - x) * bend;
      course +=
        bend < 0.5
          ? `M${round(x)} ${round(from)}V${round(to)}`
          : `M${round(x)} ${round(from)}V${round(arm - bend)}q0 ${round(bend)} ${round(way)} ${round(bend)}` +
            `H${round(below - way)}q${round(way)} 0 ${round(way)} ${round(bend)}V${round(to)}`;
      this.hang(child, centres, heightToY, row);
    }
    this.arms.push({ index: top, score: scoreOf(this.result, this.node(top)), course });
  }

  private measureHeights(): number[] {
    const heights = this.result.nodes.map(() => 1);
    for (let index = heights.length - 1; index >= 0; index--)
      for (const child of this.shownChildren(index))
        heights[index] = Math.max(heights[index] ?? 1, (heights[child] ?? 1) + 1);
    return heights;
  }

  private naturalWidth(top: number): number {
    const leaves = this.leavesOf(top);
    return leaves.reduce(
      (sum, leaf) => sum + this.leafWidth(leaf),
      NARROW_GAP * Math.max(0, leaves.length - 1),
    );
  }

  private leavesOf(top: number): number[] {
    const children = this.shownChildren(top);
    return children.length === 0 ? [top] : children.flatMap((child) => this.leavesOf(child));
  }

  private leafWidth(index: number): number {
    const score = scoreOf(this.result, this.node(index));
    const number = score === null ? NO_SCORE : this.numbers.signed(score);
    return Math.max(textWidth(this.leafText(index), WORD) + 2 * PADDING, textWidth(number, SMALL) + 2);
  }

  private leafText(index: number): string {
    const node = this.node(index);
    return isWord(node)
      ? shortened(this.names[node.start] ?? "", LONGEST_WORD)
      : shortened(phraseOf(this.explanation, node.start, node.end), LONGEST_FOLDED);
  }

  private shownChildren(index: number): readonly number[] {
    return this.folded.has(index) ? [] : this.node(index).children;
  }

  private spanOf(index: number): Span {
    const node = this.node(index);
    return wordsOf(this.explanation, node.start, node.end);
  }

  private node(index: number) {
    const node = this.result.nodes[index];
    if (node === undefined)
      throw new RangeError(`no such node: got ${index}, possible are 0 to ${this.result.nodes.length - 1}`);
    return node;
  }
}

const round = (length: number): number => Math.round(length * 10) / 10;

/** The node that an arrow key leads to, or null: up to the parent, down to the first child, sideways to a neighbour. */
export function neighbour(result: TreeResult, folded: Folded, index: number, key: string): number | null {
  const parents = parentsOf(result);
  const children = folded.has(index) ? [] : (result.nodes[index]?.children ?? []);
  if (key === "ArrowUp") return parents[index] ?? null;
  if (key === "ArrowDown") return children[0] ?? null;
  if (key === "Home") return 0;
  if (key === "End") return result.nodes.length - 1;
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return null;
  // With no sibling on that side, the parent's neighbour goes on.
  for (let from = index; ; ) {
    const parent = parents[from] ?? null;
    if (parent === null) return null;
    const siblings = result.nodes[parent]?.children ?? [];
    const next = siblings[siblings.indexOf(from) + step];
    if (next !== undefined) return next;
    from = parent;
  }
}
