/** The reading of an explanation as a table, for spreadsheets and programs: the same one that the server writes. */
import type { Explanation } from "../explanation";
import { nameOf, pairName } from "../views/tokens/result";
import type { Table } from "../views/view";

/**
 * Words and phrases, then pairs, between the model's values of nothing and of the whole text where they are known.
 * Players are counted from 0, in the order of the text.
 */
export function readingTable(explanation: Explanation): Table {
  const { base, full, spans, pairs } = explanation.reading;
  return {
    columns: ["kind", "text", "players", "level", "score", "standard_error", "draw_error"],
    rows: [
      ...(base === null ? [] : [["base", "with nothing present", "", null, base, null, null]]),
      ...spans.map(({ start, end, level, score, error, draw_error = null }) => [
        level === 0 ? "word" : "phrase",
        nameOf(explanation, start, end),
        Array.from({ length: end - start }, (_, place) => start + place).join(" "),
        level,
        score,
        error,
        draw_error,
      ]),
      ...pairs.map((pair) => [
        "pair",
        pairName(explanation, pair),
        `${pair.first} ${pair.second}`,
        null,
        pair.score,
        pair.error,
        pair.draw_error ?? null,
      ]),
      ...(full === null ? [] : [["full", "whole text", "", null, full, null, null]]),
    ],
  };
}
