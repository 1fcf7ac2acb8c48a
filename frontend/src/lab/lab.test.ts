import { expect, test } from "vitest";
import { seriesOf } from "./Curves";
import type { EvaluationDocument, EvaluationResults, TableLine } from "./documents";
import { FIRST, lacking, toDesign, toggled } from "./draft";
import { measureReport } from "./measureReport";
import { report } from "./report";
import { duration, lineName, number, titleOf } from "./wording";
import { toWorkbench } from "./workbench";

const design = { models: ["m"], methods: [{ method: "hedge" }], references: ["pad" as const] };

test("a reference is named only where there are several", () => {
  const line = { method: "hedge", reference: "pad" };
  expect(lineName(line, design)).toBe("hedge");
  expect(lineName(line, { ...design, references: ["pad", "delete"] })).toBe("hedge, pad");
  expect(lineName({ method: "random-order", reference: "" }, design)).toBe("random order");
});

test("numbers and times are said as people say them", () => {
  expect(number(-0.5)).toBe("−0.500");
  expect(number(null)).toBe("–");
  expect([duration(0.2), duration(75), duration(600), duration(7500)]).toEqual([
    "1 s",
    "75 s",
    "10 min",
    "2 h 5 min",
  ]);
});

test("a form says what is missing, and its design has what was chosen", () => {
  expect(lacking(FIRST)).toBe("Choose at least one model.");
  const draft = { ...FIRST, models: ["m"], measures: ["aopc-delete"], texts: Number.NaN };
  expect(lacking(draft)).toBeNull();
  expect(lacking({ ...draft, dataset: { kind: "file", name: "", content: "" } })).toBe(
    "Choose a file of texts.",
  );
  expect(toDesign(draft).most_texts).toBeNull();
  expect(toggled(["a", "b"], "a", false)).toEqual(["b"]);
  expect(toggled(["a"], "a", true)).toEqual(["a"]);
});

test("explanations of one's own need no method, and go with the design", () => {
  const draft = { ...FIRST, models: ["m"], measures: ["aopc-delete"], methods: [] };
  expect(lacking(draft)).toBe("Choose at least one method, or explanations of your own.");
  expect(toDesign(draft).explanations).toBeNull();
  const own = { ...draft, explanations: { name: "captum.jsonl", content: "{}" } };
  expect(lacking(own)).toBeNull();
  expect(toDesign(own).explanations).toEqual({ kind: "file", name: "captum.jsonl", content: "{}" });
});

test("what was brought is in the title and has a colour of its own", () => {
  const brought = {
    ...design,
    explanations: { kind: "kept" as const, name: "c.jsonl", explainers: ["captum-ig", "hedge"] },
  };
  expect(titleOf({ design: brought } as EvaluationDocument)).toBe("hedge, captum-ig, hedge on m");
  const colours = [
    { method: "hedge", reference: "pad" },
    { method: "captum-ig", reference: "" },
    { method: "hedge (brought)", reference: "" },
    { method: "random-order", reference: "" },
  ].map((line) => seriesOf(line, brought));
  expect(colours).toEqual([0, 1, 2, 8]);
  expect(
    titleOf({ design: { models: ["m"], explanations: brought.explanations } } as EvaluationDocument),
  ).toBe("captum-ig, hedge on m");
});

test("a number leads to its sentence, explained in its way", () => {
  const catalog = { methods: [{ name: "hedge", view: "ladder" }] } as never;
  const line = { model: "m", method: "hedge", reference: "delete" };
  expect(toWorkbench("A film.", line, catalog)).toEqual({
    text: "A film.",
    model: "m",
    reference: "delete",
    ladder: "hedge",
    only: "ladder",
  });
});

test("a report holds the table and lets no text become markup", () => {
  const cell = { measure: "aopc-delete", interval: { mean: 0.25, low: 0.2, high: 0.3, n: 9 }, best: true };
  const line = { model: "m", method: "hedge", reference: "pad", baseline: false, cells: [cell], curves: [] };
  const lines = [{ ...line, evaluations: { mean: 12 }, seconds: 1, problems: {} }] as unknown as TableLine[];
  const results = {
    texts: 9,
    seed: 0,
    draws: 10_000,
    lines,
    measures: [{ title: "AOPC", better: "higher" }],
  };
  const said = measureReport(
    { design: { ...design, title: "<script>alert(1)</script>" } } as EvaluationDocument,
    { ...results, warnings: [], paragraph: "a < b" } as unknown as EvaluationResults,
  );
  const page = report(said, { pictures: ["<svg></svg>"], link: "http://here/lab/x", date: new Date(0) });
  expect(page).not.toContain("<script>");
  expect(page).toContain("<b>0.250</b>");
  expect(page).toContain("0.200 to 0.300");
  expect(page).toContain("a &lt; b");
});

test("a report says beside each operator how strange its texts are, or why nobody knows", () => {
  const interval = { mean: 0.456, low: 0.4, high: 0.5, n: 9 };
  const operators = [
    { model: "m", operator: "delete", cells: [{ method: "hedge", reference: "pad", interval }] },
    { model: "m", operator: "pad", cells: [], reason: "leaves no text" },
  ];
  const shown = { texts: 9, seed: 0, draws: 10, lines: [], measures: [], warnings: [], paragraph: "" };
  const run = { design } as unknown as EvaluationDocument;
  const said = measureReport(run, { ...shown, operators } as unknown as EvaluationResults);
  const page = report(said, { pictures: [], link: "", date: new Date(0) });
  expect(page).toContain("<th>delete</th><td>0.46<br><small>0.40 to 0.50</small></td>");
  expect(page).toContain("<th>pad leaves no text</th><td></td>");
  expect(measureReport(run, shown as unknown as EvaluationResults).tables).toHaveLength(1);
});
