/** What the tree draws: the parse with what LS-Tree found at every phrase and word. */

import type { Explanation, LsTreeNode } from "../../explanation";
import { phraseOf } from "../../marks";
import type { Table } from "../view";

export type TreeResult = {
  nodes: readonly LsTreeNode[];
  word_values: readonly number[];
  base: number;
  full: number;
};

export function treeOf({ result }: Explanation): TreeResult | null {
  return result.method === "ls-tree" ? (result as TreeResult) : null;
}

/** The label of the root that is added over several sentences. */
export const ADDED_ROOT = "TEXT";

export const isAddedRoot = (node: LsTreeNode): boolean =>
  node.labels.length === 1 && node.labels[0] === ADDED_ROOT;

export const isWord = (node: LsTreeNode): boolean => node.children.length === 0;

/** What a node shows: a phrase its signed interaction, a word its LS-Tree value; an added root may have none. */
export function scoreOf(result: TreeResult, node: LsTreeNode): number | null {
  return isWord(node) ? (result.word_values[node.start] ?? null) : node.signed;
}

export function largest(explanation: Explanation): number {
  const result = treeOf(explanation);
  if (result === null) return 0;
  return result.nodes.reduce((most, node) => Math.max(most, Math.abs(scoreOf(result, node) ?? 0)), 0);
}

export function table(explanation: Explanation): Table {
  const result = treeOf(explanation);
  const columns = [
    "text",
    "label",
    "height",
    "word value",
    "interaction",
    "absolute interaction",
    "value alone",
  ];
  const rows = (result?.nodes ?? []).map((node) => [
    phraseOf(explanation, node.start, node.end),
    isWord(node) ? "word" : node.labels.join(" "),
    node.depth,
    isWord(node) ? (result?.word_values[node.start] ?? null) : null,
    isWord(node) ? null : node.signed,
    isWord(node) ? null : node.absolute,
    node.value,
  ]);
  return { columns, rows };
}
