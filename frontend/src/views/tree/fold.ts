/** Folding: a phrase shown as one block, its inside hidden. */

import { isAddedRoot, isWord, scoreOf, type TreeResult } from "./result";

export type Folded = ReadonlySet<number>;

export const NOTHING_FOLDED: Folded = new Set();

/** Share of the largest score below which a phrase has nothing to tell. */
const QUIET = 0.15;

/** Words of several sentences from which on the quiet ones of them are folded unasked. */
const MANY_WORDS = 50;

/** The parent of every node; none of the root. */
export function parentsOf(result: TreeResult): (number | null)[] {
  const parents: (number | null)[] = result.nodes.map(() => null);
  result.nodes.forEach((node, index) => {
    for (const child of node.children) parents[child] = index;
  });
  return parents;
}

/** Every phrase in which no word and no phrase has more than a small share of the picture's largest score. */
export function quietPhrases(result: TreeResult): Folded {
  const loudest = result.nodes.map((node) => Math.abs(scoreOf(result, node) ?? 0));
  // Parents come before their children, so the way back meets children first.
  for (let index = result.nodes.length - 1; index >= 0; index--) {
    for (const child of result.nodes[index]?.children ?? [])
      loudest[index] = Math.max(loudest[index] ?? 0, loudest[child] ?? 0);
  }
  const limit = QUIET * (loudest[0] ?? 0);
  return new Set(phrases(result).filter((index) => index > 0 && (loudest[index] ?? 0) <= limit));
}

/** Of a text too long for one look, the sentences that have nothing to tell: these are folded when it opens. */
export function quietSentences(result: TreeResult): Folded {
  const [root] = result.nodes;
  if (root === undefined || !isAddedRoot(root) || root.end - root.start <= MANY_WORDS) return NOTHING_FOLDED;
  const quiet = quietPhrases(result);
  return new Set(root.children.filter((sentence) => quiet.has(sentence)));
}

/** Every phrase that is at most so high above the words; never the whole text. */
export function phrasesUpTo(result: TreeResult, height: number): Folded {
  return new Set(phrases(result).filter((index) => index > 0 && (result.nodes[index]?.depth ?? 0) <= height));
}

function phrases(result: TreeResult): number[] {
  return result.nodes.flatMap((node, index) => (isWord(node) ? [] : [index]));
}

/** The same with one phrase folded or opened. */
export function toggled(folded: Folded, index: number): Folded {
  const next = new Set(folded);
  if (!next.delete(index)) next.add(index);
  return next;
}

/** The node itself, or the folded phrase it has vanished in. */
export function shownInstead(index: number, parents: readonly (number | null)[], folded: Folded): number {
  let shown = index;
  for (let above = parents[index] ?? null; above !== null; above = parents[above] ?? null)
    if (folded.has(above)) shown = above;
  return shown;
}
