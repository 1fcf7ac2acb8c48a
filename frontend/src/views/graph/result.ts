/** What the graph draws: results of the two methods that have arrows. */

import type { Explanation, ExplanationOf } from "../../explanation";

export type GraphExplanation = ExplanationOf<"asiv" | "asiv-published">;
export type AsivResult = ExplanationOf<"asiv">["result"];
export type PublishedResult = ExplanationOf<"asiv-published">["result"];
export type Matrix = readonly (readonly number[])[];

export function isGraph(explanation: Explanation): explanation is GraphExplanation {
  return explanation.result.method === "asiv" || explanation.result.method === "asiv-published";
}

export function at(matrix: Matrix, row: number, column: number): number {
  return matrix[row]?.[column] ?? 0;
}

export function largest(matrix: Matrix): number {
  return matrix.reduce((most, row) => row.reduce((seen, value) => Math.max(seen, Math.abs(value)), most), 0);
}
