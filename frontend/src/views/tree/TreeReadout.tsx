import { useMemo } from "react";
import type { Explanation } from "../../explanation";
import { type Fact, numbersLike, Readout, textOf } from "../../marks";
import { type Selection, type Span, sameSpan } from "../../spans";
import type { TreeLayout } from "./layout";
import type { TreeResult } from "./result";

export function TreeReadout({
  explanation,
  result,
  selection,
  layout,
}: {
  explanation: Explanation;
  result: TreeResult;
  selection: Selection;
  layout: TreeLayout;
}) {
  const span = selection.hovered ?? selection.selected;
  const numbers = useMemo(() => numbersLike(result.nodes.map((node) => node.value)), [result]);
  const node = span && layout.nodes.find((each) => sameSpan(each.span, span));
  const facts: Fact[] = [];
  if (node?.kind === "word") facts.push({ name: "value", value: node.number });
  else if (node) {
    facts.push({ name: `${node.label || "phrase"} interaction`, value: node.number });
    if (node.absolute !== null) facts.push({ name: "absolute", value: numbers.plain(node.absolute) });
  } else if (span)
    facts.push({
      name: "no phrase of this tree; values of its words",
      value: numbers.signed(sumOver(explanation, result, span)),
    });
  if (node) facts.push({ name: "alone", value: numbers.signed(node.value) });
  return (
    <Readout
      subject={span && textOf(explanation, span)}
      facts={facts}
      hint="Point at a phrase or word for its numbers; space or a double click folds a phrase."
    />
  );
}

function sumOver(explanation: Explanation, result: TreeResult, [start, end]: Span): number {
  return explanation.players.reduce(
    (sum, player, index) =>
      player.start >= start && player.end <= end ? sum + (result.word_values[index] ?? 0) : sum,
    0,
  );
}
