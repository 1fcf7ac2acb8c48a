/** The tree as it is shown: what each node says, with folded phrases as leaves. */

import type { Explanation, LsTreeNode } from "../../explanation";
import {
  type Face,
  type Numbers,
  numbersLike,
  phraseOf,
  playerNames,
  shortened,
  textWidth,
} from "../../marks";
import { type Span, wordsOf } from "../../spans";
import type { Folded } from "./fold";
import { isAddedRoot, isWord, scoreOf, type TreeResult } from "./result";

export const SCORE: Face = { size: 12.5, weight: 600 };
export const WORD_HEIGHT = 30;
export const PILL_HEIGHT = 24;

const LONGEST_FOLDED = 24;
const LONGEST_WORD = 40;
const NO_SCORE = "·";

export type Kind = "word" | "phrase" | "folded";

export type ShownNode = {
  readonly index: number;
  readonly kind: Kind;
  readonly span: Span;
  /** What is written on the node: a phrase's number, a word, or the folded phrase. */
  readonly text: string;
  readonly number: string;
  readonly label: string;
  readonly score: number | null;
  readonly value: number;
  readonly absolute: number | null;
  readonly phrase: string;
  readonly children: readonly number[];
  /** As role="tree" counts: depth below the root from 1, place among the siblings. */
  readonly level: number;
  readonly place: number;
  readonly siblings: number;
};

/** All nodes that are shown, by index, every parent before its children. */
export function shownNodes(
  explanation: Explanation,
  result: TreeResult,
  folded: Folded,
): Map<number, ShownNode> {
  const names = playerNames(explanation);
  const numbers = numbersLike(result.nodes.map((node) => scoreOf(result, node) ?? 0));
  const shown = new Map<number, ShownNode>();
  const visit = (index: number, level: number, place: number, siblings: number) => {
    const node = result.nodes[index];
    if (node === undefined) return;
    const kind: Kind = isWord(node) ? "word" : folded.has(index) ? "folded" : "phrase";
    const phrase = phraseOf(explanation, node.start, node.end);
    const number = numberOf(scoreOf(result, node), numbers);
    const children = kind === "phrase" ? node.children : [];
    shown.set(index, {
      index,
      kind,
      span: wordsOf(explanation, node.start, node.end),
      text:
        kind === "phrase"
          ? number
          : kind === "word"
            ? shortened(names[node.start] ?? "", LONGEST_WORD)
            : shortened(phrase, LONGEST_FOLDED),
      number,
      label: labelOf(node),
      score: scoreOf(result, node),
      value: node.value,
      absolute: node.absolute,
      phrase,
      children,
      level,
      place,
      siblings,
    });
    children.forEach((child, order) => {
      visit(child, level + 1, order + 1, children.length);
    });
  };
  visit(0, 1, 1, 1);
  return shown;
}

const numberOf = (score: number | null, numbers: Numbers): string =>
  score === null ? NO_SCORE : numbers.signed(score);

function labelOf(node: LsTreeNode): string {
  if (isWord(node)) return "";
  return isAddedRoot(node) ? "all sentences together" : node.labels.join("·");
}

/** How wide a node is: a pill around its number, or a block around its text. */
export function widthOf(node: ShownNode, word: Face, padding: number): number {
  return node.kind === "phrase" ? textWidth(node.text, SCORE) + 16 : textWidth(node.text, word) + 2 * padding;
}

export const heightOf = (node: ShownNode): number => (node.kind === "phrase" ? PILL_HEIGHT : WORD_HEIGHT);
