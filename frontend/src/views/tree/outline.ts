/**
 * The tree as an outline, for narrow screens: one line for each phrase and word, indented by its depth, with the arms
 * running down the left. It needs no more width than its longest word, however long the sentence is.
 */

import type { Explanation } from "../../explanation";
import { type Face, fitted } from "../../marks";
import type { Folded } from "./fold";
import type { Arms, Note, PlacedNode, TreeLayout } from "./layout";
import type { TreeResult } from "./result";
import { heightOf, PILL_HEIGHT, shownNodes, widthOf } from "./visible";

const WORD: Face = { size: 15 };
const SMALL: Face = { size: 11 };
const PADDING = 8;
const LINE = 32;
const TRUNK = 13;
const MOST_INDENT = 20;
/** Share of the width that indents may take. */
const INDENTS = 0.45;
const ROOM_FOR_NUMBER = 52;

export function layoutOutline(
  explanation: Explanation,
  result: TreeResult,
  folded: Folded,
  width: number,
): TreeLayout {
  const shown = [...shownNodes(explanation, result, folded).values()];
  const deepest = Math.max(...shown.map((node) => node.level));
  const indent = Math.min(MOST_INDENT, (INDENTS * width) / Math.max(1, deepest - 1));
  const nodes: PlacedNode[] = shown.map((node, line) => {
    const left = (node.level - 1) * indent;
    const room = width - left - ROOM_FOR_NUMBER;
    const text = node.kind === "phrase" ? node.text : fitted(node.text, room - 2 * PADDING, WORD);
    const own = widthOf({ ...node, text }, WORD, PADDING);
    const y = line * LINE + LINE / 2;
    const beside = left + own + 7;
    // A phrase's words say which one it is without looking down its arms.
    const said = node.kind === "phrase" ? `${node.label}  ${node.phrase}` : node.number;
    const note: Note = { text: fitted(said, width - beside, SMALL), x: beside, y, anchor: "start" };
    return { ...node, text, x: left + own / 2, y, width: own, height: heightOf(node), note };
  });
  const byIndex = new Map(nodes.map((node) => [node.index, node]));
  const arms: Arms[] = nodes
    .filter((node) => node.children.length > 0)
    .map((node) => {
      const trunk = node.x - node.width / 2 + Math.min(TRUNK, indent * 0.7);
      const course = node.children.map((index) => {
        const child = byIndex.get(index);
        if (child === undefined) return "";
        const left = child.x - child.width / 2;
        const bend = Math.min(5, left - trunk);
        return `M${round(trunk)} ${node.y + PILL_HEIGHT / 2}V${child.y - bend}q0 ${bend} ${bend} ${bend}H${round(left)}`;
      });
      return { index: node.index, score: node.score, course: course.join("") };
    });
  const ground = nodes
    .filter((node) => node.kind !== "phrase")
    .map(({ span, x, y, width: own, height }) => ({
      span,
      left: x - own / 2,
      right: x + own / 2,
      y: y + height / 2 + 2.5,
    }));
  const height = nodes.length * LINE + 2;
  return { width, height, word: WORD, small: SMALL, orientation: "vertical", nodes, arms, rows: [], ground };
}

const round = (length: number): number => Math.round(length * 10) / 10;
