/**
 * Where everything in the tree stands. Words share the ground in reading order, every phrase hangs centred above its
 * children, at its height above the words. Edges run as arms do on an espalier: down a little from the phrase, level
 * along the wall, and straight down to each child. So no edge crosses another or a node.
 */

import type { Explanation } from "../../explanation";
import { type Face, textWidth } from "../../marks";
import type { Span } from "../../spans";
import type { Folded } from "./fold";
import { isAddedRoot, type TreeResult } from "./result";
import { heightOf, PILL_HEIGHT, type ShownNode, shownNodes, WORD_HEIGHT, widthOf } from "./visible";

/** How words are set: the first of these that fits, and the second where none does and the tree scrolls. */
type Setting = { readonly word: Face; readonly small: Face; readonly padding: number; readonly gap: number };
const ROOMY: Setting = { word: { size: 15 }, small: { size: 11 }, padding: 8, gap: 6 };
const CLOSE: Setting = { word: { size: 14 }, small: { size: 10.5 }, padding: 6, gap: 5 };
const TIGHT: Setting = { word: { size: 12.5 }, small: { size: 10 }, padding: 4, gap: 3 };
const WIDE_GAP = 16;
const [LOW_ROW, HIGH_ROW] = [36, 48];
/** Heights the picture would like to have above the words; deeper trees get lower rows. */
const COMFORTABLE = 420;
const BELOW_WORDS = 34;
const BETWEEN_SENTENCES = 26;
const STACK_INDENT = 34;

export type Note = {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle";
};

export type PlacedNode = ShownNode & {
  /** Centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The small text beside or below: a phrase's label, a word's number. */
  readonly note: Note;
};

export type Arms = { index: number; score: number | null; course: string };

export type TreeLayout = {
  width: number;
  height: number;
  word: Face;
  small: Face;
  /** How arrow keys are meant: along the words from left to right, or from top to bottom. */
  orientation: "horizontal" | "vertical";
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
  private readonly shown: Map<number, ShownNode>;
  private readonly heights: number[];
  private setting = ROOMY;
  private readonly nodes: PlacedNode[] = [];
  private readonly arms: Arms[] = [];
  private readonly rows: { height: number; y: number }[] = [];
  private readonly ground: { span: Span; left: number; right: number; y: number }[] = [];

  constructor(
    explanation: Explanation,
    private readonly result: TreeResult,
    folded: Folded,
    private readonly room: number,
  ) {
    this.shown = shownNodes(explanation, result, folded);
    this.heights = this.measureHeights();
  }

  layout(): TreeLayout {
    const root = this.result.nodes[0];
    if (root === undefined) throw new RangeError("empty tree: got no nodes, possible are one or more");
    const stacked =
      isAddedRoot(root) && this.shownChildren(0).length > 1 && this.widthOf(0, CLOSE) > this.room;
    const [blocks, room] = stacked ? [this.shownChildren(0), this.room - STACK_INDENT] : [[0], this.room];
    this.setting =
      [ROOMY, CLOSE, TIGHT].find((setting) =>
        blocks.every((block) => this.widthOf(block, setting) <= room),
      ) ?? CLOSE;
    const size = stacked ? this.stack() : this.block(0, 0, 0, this.room);
    const { word, small } = this.setting;
    const nodes = this.nodes.sort((a, b) => a.index - b.index);
    return {
      ...size,
      word,
      small,
      orientation: "horizontal",
      nodes,
      arms: this.arms,
      rows: this.rows,
      ground: this.ground,
    };
  }

  /** Sentences below one another, their common root as a trunk along the left. */
  private stack(): { width: number; height: number } {
    const sentences = this.shownChildren(0);
    const root = this.add(0, this.width(0) / 2, PILL_HEIGHT / 2);
    const trunk = Math.min(root.x, 14);
    let [width, y] = [root.width + 120, PILL_HEIGHT + 14];
    let course = "";
    for (const sentence of sentences) {
      const before = this.nodes.length;
      const size = this.block(sentence, STACK_INDENT, y, this.room - STACK_INDENT);
      const top = this.nodes.slice(before).find((node) => node.index === sentence);
      if (top !== undefined)
        course += `M${trunk} ${PILL_HEIGHT}V${round(top.y - 7)}q0 7 7 7H${round(top.x - top.width / 2)}`;
      width = Math.max(width, STACK_INDENT + size.width);
      y += size.height + BETWEEN_SENTENCES;
    }
    this.arms.push({ index: 0, score: root.score, course });
    return { width, height: y - BETWEEN_SENTENCES };
  }

  /** The subtree of one node with its words on one ground. */
  private block(top: number, left: number, y: number, room: number) {
    const natural = this.widthOf(top, this.setting);
    const leaves = this.leavesOf(top);
    const spare = Math.max(0, room - natural);
    const narrow = this.setting.gap;
    const gap = narrow + Math.min(WIDE_GAP - narrow, spare / Math.max(1, leaves.length - 1));
    const used = natural + (gap - narrow) * (leaves.length - 1);
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
        span: this.node(leaf).span,
        left: edge,
        right: edge + wide,
        y: ground + WORD_HEIGHT / 2 + 20,
      });
      edge += wide + gap;
    }
    this.place(top, centres, heightToY);
    this.hang(top, centres, heightToY, row);
    for (let above = 1; above <= height; above++) this.rows.push({ height: above, y: heightToY(above) });
    return { width: Math.max(used, room), height: ground - y + WORD_HEIGHT / 2 + BELOW_WORDS };
  }

  private place(index: number, centres: Map<number, number>, heightToY: (above: number) => number): number {
    const placed = this.shownChildren(index).map((child) => this.place(child, centres, heightToY));
    const x = centres.get(index) ?? ((placed[0] ?? 0) + (placed.at(-1) ?? 0)) / 2;
    centres.set(index, x);
    this.add(index, x, heightToY(this.heights[index] ?? 1));
    return x;
  }

  private add(index: number, x: number, y: number): PlacedNode {
    const node = this.node(index);
    const [width, height] = [this.width(index), heightOf(node)];
    const note: Note =
      node.kind === "phrase"
        ? { text: node.label, x: x + width / 2 + 5, y, anchor: "start" }
        : { text: node.number, x, y: y + height / 2 + 11, anchor: "middle" };
    const placed: PlacedNode = { ...node, x, y, width, height, note };
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
      const half = heightOf(this.node(child)) / 2;
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
    this.arms.push({ index: top, score: this.node(top).score, course });
  }

  private measureHeights(): number[] {
    const heights = this.result.nodes.map(() => 1);
    for (let index = heights.length - 1; index >= 0; index--)
      for (const child of this.shownChildren(index))
        heights[index] = Math.max(heights[index] ?? 1, (heights[child] ?? 1) + 1);
    return heights;
  }

  private widthOf(top: number, setting: Setting): number {
    const leaves = this.leavesOf(top);
    const gaps = setting.gap * Math.max(0, leaves.length - 1);
    return leaves.reduce((sum, leaf) => sum + this.leafWidth(leaf, setting), gaps);
  }

  private leavesOf(top: number): number[] {
    const children = this.shownChildren(top);
    return children.length === 0 ? [top] : children.flatMap((child) => this.leavesOf(child));
  }

  private leafWidth(index: number, { word, small, padding } = this.setting): number {
    const node = this.node(index);
    return Math.max(widthOf(node, word, padding), textWidth(node.number, small) + 2);
  }

  private width(index: number): number {
    const node = this.node(index);
    return node.kind === "phrase" ? widthOf(node, this.setting.word, 0) : this.leafWidth(index);
  }

  private shownChildren(index: number): readonly number[] {
    return this.shown.get(index)?.children ?? [];
  }

  private node(index: number): ShownNode {
    const node = this.shown.get(index);
    if (node === undefined) throw new RangeError(`no such node is shown: got ${index}`);
    return node;
  }
}

const round = (length: number): number => Math.round(length * 10) / 10;
