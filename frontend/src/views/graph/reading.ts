/** Arrows and words in words: what the readout and screen readers say. */

import { type Numbers, quoted } from "../../marks";
import type { Arrow, Graph, Node } from "./arrows";
import type { Measure } from "./measures";
import { at } from "./result";

/** A sentence whose numbers stand out. */
export type Sentence = readonly (string | { number: string })[];

export function plain(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : part.number)).join("");
}

export function sayArrow(graph: Graph, arrow: Arrow, numbers: Numbers, target: string): Sentence {
  const given = name(graph, arrow.given);
  const adds = name(graph, arrow.adds);
  const { errors } = arrow;
  const number = (value: number, error?: number | null) => ({
    number: numbers.signed(value) + (error === undefined || error === null ? "" : numbers.error(error)),
  });
  if (arrow.without === null)
    return [
      `Published arrow ${given} → ${adds}: `,
      number(arrow.value, errors?.value),
      ` for ${target}, of which `,
      number(arrow.together),
      " is their interaction and ",
      number(arrow.displaced ?? 0),
      ` what ${adds} loses in the place of ${given}.`,
    ];
  return [
    `${adds} adds `,
    number(arrow.without, errors?.without),
    ` for ${target} without ${given}, `,
    number(arrow.value, errors?.value),
    " with it · synergy ",
    number(arrow.together, errors?.together),
    ", the same both ways",
    arrow.clear ? "" : " · not clear of its error",
  ];
}

export function sayNode(graph: Graph, node: Node, numbers: Numbers, target: string): Sentence {
  const word = name(graph, node.index);
  const rank = { number: node.pagerank.toFixed(2) };
  if (node.value === null) return [`${word} · PageRank `, rank, ` of all ${graph.nodes.length} nodes' 1.00`];
  const value = numbers.signed(node.value) + (node.error === null ? "" : numbers.error(node.error));
  return [`${word} adds `, { number: value }, ` for ${target} on average (Shapley value) · PageRank `, rank];
}

export function sayCell(
  graph: Graph,
  measure: Measure,
  row: number,
  column: number,
  numbers: Numbers,
): Sentence {
  const [given, adds] = [name(graph, row), name(graph, column)];
  if (row === column) return [`${given} with itself: nothing to say`];
  const error = measure.errors ? numbers.error(at(measure.errors, row, column)) : "";
  const joined = measure.symmetric ? `${given} and ${adds}` : `${given} → ${adds}`;
  return [
    `${joined} · ${measure.title} `,
    { number: numbers.signed(at(measure.matrix, row, column)) + error },
    measure.symmetric ? ", the same both ways" : "",
  ];
}

function name(graph: Graph, index: number): string {
  return quoted(graph.nodes[index]?.text ?? "");
}
