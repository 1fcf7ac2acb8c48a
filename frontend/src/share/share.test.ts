import { expect, test } from "vitest";
import tables from "../../../tests/shared/tables.json";
import vectors from "../../../tests/shared/vectors.json";
import type { Explanation } from "../explanation";
import { fixture } from "../views/fixtures/drawing";
import { caption, fileName } from "./caption";
import { csv } from "./csv";
import { escaped, htmlPage } from "./html";
import { readingTable } from "./readingTable";
import { wrapped } from "./svg";

const EXPLANATION: Explanation = {
  text: 'He said "=1+1" <b>& left</b>.',
  pair: null,
  words: [],
  sentences: [],
  player_kind: "words",
  players: [],
  model: "sst2-minilm",
  revision: "c1e5f685a2266288",
  classes: ["negative", "positive"],
  probabilities: [0.8, 0.2],
  target: 0,
  method: "shap",
  parameters: { budget: 1024 },
  scale: "log_odds",
  reference: "mask",
  seed: 7,
  result: {
    method: "shap",
    algorithm: "exact",
    exact: true,
    values: [],
    standard_errors: [],
    base: 0,
    full: 0,
    coalitions: 64,
  },
  evaluations: { asked: 2000, distinct: 1024, reused: 12, elsewhere: 0 },
  seconds: { model: 1, total: 1.234 },
  against: null,
  pieces: null,
  levels: null,
  draws: 1,
  fill: null,
  filler: null,
  unread: [],
  idle: [],
  draw_errors: null,
  reading: { exact: true, base: 0, full: 0, spans: [], pairs: [], groups: [], top: null, ranking: [] },
  finding: "“left” speaks most.",
  certainty: "exact",
  provenance: "exact · 1,024 evaluations (12 reused) · 1.23 s · log odds of negative · seed 7",
};
const FIGURE = { explanation: EXPLANATION, viewTitle: "Tokens", methodTitle: "SHAP values" };
const DAY = new Date("2026-11-16T12:00:00Z");

test("an approximation is not said to have a standard error", () => {
  const explanation = fixture("integrated-gradients-short");
  const words = caption({ explanation, viewTitle: "Tokens", methodTitle: "Integrated gradients" }, DAY);
  expect(words).toContain("; approximate; 0 evaluations; ");
  expect(words).not.toContain("standard error");
});

test("what is nearly certain is not shared as certain", () => {
  const explanation = { ...EXPLANATION, probabilities: [0.9999, 0.0001] };
  const page = htmlPage(
    [{ ...FIGURE, explanation, svg: "", table: { columns: [], rows: [] }, howToRead: "" }],
    "",
    DAY,
  );
  expect(page).toContain("negative &gt;99.9%, positive &lt;0.1%");
});

test("a caption has title, model, method, seed and date", () => {
  const words = caption(FIGURE, DAY);
  for (const part of [
    "Tokens (SHAP values)",
    "sst2-minilm",
    "c1e5f685a2266288",
    "seed 7",
    "2026-11-16",
    "“left” speaks most.",
  ])
    expect(words).toContain(part);
});

test("a file's name is safe on every system", () => {
  expect(fileName(FIGURE, ".svg")).toBe("espalier-tokens-mask-he-said-1-1-b.svg");
  const odd = { ...FIGURE, explanation: { ...EXPLANATION, text: "../../電影 ‮" } };
  expect(fileName(odd, ".csv")).toBe("espalier-tokens-mask.csv");
});

test("a table keeps every digit, quotes what must be quoted, and becomes no formula", () => {
  const table = {
    columns: ["word", "value"],
    rows: [
      ['say "hi", ok', -0.1234567890123],
      ["=1+1", null],
      ["-", 2],
    ],
  };
  expect(csv(table)).toBe('word,value\r\n"say ""hi"", ok",-0.1234567890123\r\n\'=1+1,\r\n\'-,2\r\n');
});

test.each(vectors.cells)("a cell of $cell is written as the server writes it", ({ cell, written }) => {
  expect(csv({ columns: ["kind", "cell"], rows: [["word", cell]] })).toBe(`kind,cell\r\nword,${written}\r\n`);
});

test.each(Object.entries(tables))("the table of %s is the server's", (name, [columns, ...rows]) => {
  const table = readingTable(fixture(name));
  expect(table.columns).toEqual(columns);
  expect(table.rows).toEqual(rows);
});

test("a page of one file holds the data, and no text of it becomes markup", () => {
  const page = htmlPage(
    [{ ...FIGURE, svg: "<svg></svg>", table: { columns: ["a"], rows: [["<i>"]] }, howToRead: "Look." }],
    "http://here/?text=%22",
    DAY,
  );
  expect(page).toContain(escaped(EXPLANATION.text));
  expect(page).not.toContain("<b>& left");
  expect(page).not.toContain("<td><i>");
  const data = /<script type="application\/json" id="explanations">(.*)<\/script>/.exec(page)?.[1];
  expect(JSON.parse(data ?? "")).toEqual([EXPLANATION]);
});

test("long words are cut into lines, and controls are left out", () => {
  expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapped("x".repeat(10), 4)).toEqual(["xxxx", "xxxx", "xx"]);
  expect(wrapped("a\u202eb \u0007c", 20)).toEqual(["ab c"]);
});
