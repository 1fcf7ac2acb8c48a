/** What stands around the graph: its legend, how to read it, and its numbers as a table. */

import { QUIET } from "../../colour";
import { type Explanation, targetClass } from "../../explanation";
import { ScaleLegend } from "../../marks";
import type { Table } from "../view";
import { graphOf } from "./arrows";
import { at, isGraph, largest as largestIn } from "./result";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  const published = explanation.result.method === "asiv-published";
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      <span className="graph-key">
        <svg width="34" height="12" aria-hidden="true">
          <title>An arrow</title>
          <path d="M1 10C6 0 20 0 27 6" fill="none" className="quiet-line" stroke={QUIET} strokeWidth="3.5" />
          <path d="M33 11l-9 -2l5 -6z" className="quiet" fill={QUIET} />
        </svg>
        {published ? "the published code's arrow" : "what a word adds with the other there"}
      </span>
      {!published && (
        <span className="graph-key">
          <svg width="30" height="12" aria-hidden="true">
            <title>A ghost</title>
            <path
              d="M1 10C6 0 20 0 28 10"
              fill="none"
              className="quiet-line"
              stroke={QUIET}
              strokeWidth="3.5"
              opacity="0.34"
            />
          </svg>
          without it
        </span>
      )}
      <span>larger words: more arrows lead there (PageRank)</span>
    </ScaleLegend>
  );
}

export function HowToRead() {
  return (
    <>
      <p>
        The words stand in reading order. An arrow goes from a word that is there to a word that is added:
        above the line to a later word, below it to an earlier one.
      </p>
      <p>
        The two numbers on an arrow are what the added word contributes in the same places <em>without</em>{" "}
        the other word, and <em>with</em> it. The pale arc inside is the first number, the strong one the
        second; purple speaks for the class, orange against it, and wider is more.
      </p>
      <p>
        The difference of the two is the pair's synergy (ASIV). It is exactly the same in both directions, so
        each pair is drawn once, from the side that tells more; “Both ways” draws the way back too.
      </p>
      <p>
        Only differences larger than twice their standard error are drawn, the strongest first; the slider
        adds weaker ones. Selecting a word brings its own arrows.
      </p>
      <p>
        A word's colour is what it adds on average (its Shapley value); it is larger when more arrows lead to
        it.
      </p>
      <p>
        The matrix shows every pair at once. To weigh phrase against phrase, select one (click, then
        Shift+click), keep it, and select the other.
      </p>
    </>
  );
}

export function largest(explanation: Explanation): number {
  if (!isGraph(explanation)) return 0;
  const { result } = explanation;
  if (result.method === "asiv-published") return largestIn(result.arrows);
  return Math.max(largestIn(result.present), largestIn(result.absent), largestIn([result.values]));
}

/** Every ordered pair with every number there is, strongest differences first. */
export function table(explanation: Explanation): Table {
  if (!isGraph(explanation)) return { columns: [], rows: [] };
  const graph = graphOf(explanation);
  const errors = graph.measures.some((measure) => measure.errors);
  const columns = graph.measures.flatMap(({ title, errors }) => (errors ? [title, `± ${title}`] : [title]));
  const row = (given: number, adds: number) => [
    graph.nodes[given]?.text ?? "",
    graph.nodes[adds]?.text ?? "",
    ...graph.measures.flatMap(({ matrix, errors }) => [
      at(matrix, given, adds),
      ...(errors ? [at(errors, given, adds)] : []),
    ]),
  ];
  const pairs = graph.arrows.flatMap(({ given, adds }) =>
    graph.published ? [row(given, adds)] : [row(given, adds), row(adds, given)],
  );
  return { columns: ["given", "adds", ...columns], rows: errors || columns.length ? pairs : [] };
}
