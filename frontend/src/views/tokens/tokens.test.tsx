// @vitest-environment happy-dom

import { fireEvent } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Explanation, ExplanationOf } from "../../explanation";
import { wordsOf } from "../../spans";
import { drawn, fixture, numberIn, svgOf } from "../fixtures/drawing";
import tokens from "./index";
import { layoutTokens } from "./layout";
import { addsUp, scoresOf } from "./result";
import { wordRows } from "./rows";

const FIXTURES = [
  ...["short", "twenty", "sixty", "scripts", "one-word", "tokens"].map((name) => `shap-${name}`),
  ...["leave-one-out", "lime", "integrated-gradients", "contextual-decomposition"].map(
    (name) => `${name}-short`,
  ),
];

type WordResult = ExplanationOf<"shap">["result"];

const valuesIn = (explanation: Explanation) => scoresOf(explanation).words.map(({ score }) => score);

test.each([
  ["shap-short", 620],
  ["shap-twenty", 350],
  ["lime-short", 620],
  ["contextual-decomposition-short", 620],
] as const)("%s looks as before at %i pixels", async (name, width) => {
  await expect(svgOf(tokens, fixture(name), width)).toMatchFileSnapshot(`snapshots/${name}-${width}.svg`);
});

describe.each(FIXTURES)("%s", (name) => {
  test("shows every number of the result, in the bars and in the text", () => {
    const explanation = fixture(name);
    // What the method itself says, not what the reading makes of it.
    const { values, standard_errors: errors } = explanation.result as WordResult;
    const { all, container } = drawn(tokens, explanation, 620);
    const buttons = [...container.querySelectorAll("button")];
    for (const button of buttons.filter(({ textContent }) => textContent !== "By size"))
      fireEvent.click(button);
    expect(all(".token-word").map((mark) => numberIn(mark))).toEqual(values);
    expect(all(".token-heat").map((mark) => numberIn(mark))).toEqual(values);
    expect(all(".token-word").map((mark) => mark.getAttribute("data-span"))).toEqual(
      values.map((_, player) => wordsOf(explanation, player, player + 1).join("-")),
    );
    expect(all(".token-word[data-error]").map((mark) => numberIn(mark, "error"))).toEqual(
      explanation.result.exact ? [] : (errors ?? []),
    );
  });

  test.each([350, 620, 1200])("stays within %i pixels", (width) => {
    const explanation = fixture(name);
    const { blocks, numbers } = layoutTokens(explanation, scoresOf(explanation), width, "size", true);
    expect(blocks.length).toBeGreaterThan(0);
    for (const { row, labelX } of blocks.flatMap(({ rows, labelX }) =>
      rows.map((row) => ({ row, labelX })),
    )) {
      expect(row.left).toBeGreaterThanOrEqual(labelX);
      expect(row.numberX).toBeLessThanOrEqual(width);
      expect(row.number).toBe(row.kind === "total" ? numbers.plain(row.value) : numbers.signed(row.value));
    }
  });
});

test.each(FIXTURES.filter((name) => name.startsWith("shap")))(
  "the bars of %s lead from no words to the whole text",
  (name) => {
    const explanation = fixture(name);
    const { base, full } = explanation.result as WordResult;
    expect(addsUp(scoresOf(explanation))).toBe(true);
    const rows = wordRows(explanation, scoresOf(explanation), "size", false);
    expect(rows[0]?.value).toBe(base);
    expect(rows.at(-1)?.value).toBe(full);
    for (const [index, row] of rows.entries())
      if (index > 0) expect(row.from).toBeCloseTo(rows[index - 1]?.to ?? Number.NaN, 3);
  },
);

test("values that do not add up begin at zero, and the picture says so", () => {
  const explanation = fixture("leave-one-out-short");
  const rows = wordRows(explanation, scoresOf(explanation), "size", true);
  expect(rows.every((row) => row.from === 0)).toBe(true);
  expect(drawn(tokens, explanation, 620).container.textContent).toContain("need not add up");
});

test("the smallest are folded into one row, which opens", () => {
  const { all, one } = drawn(tokens, fixture("shap-sixty"), 620);
  const count = fixture("shap-sixty").players.length;
  expect(all(".token-word")).toHaveLength(11);
  expect(one(".token-others").textContent).toContain(`${count - 11} other words`);
  const others = valuesIn(fixture("shap-sixty"))
    .toSorted((a, b) => Math.abs(b) - Math.abs(a))
    .slice(11);
  expect(numberIn(one(".token-others"))).toBeCloseTo(
    others.reduce((sum, value) => sum + value, 0),
    12,
  );
  fireEvent.keyDown(one(".token-others"), { key: "Enter" });
  expect(all(".token-word")).toHaveLength(count);
});

test("bars are sorted by size or stand in reading order", () => {
  const { all, container } = drawn(tokens, fixture("shap-short"), 620);
  const sizes = all(".token-word").map((mark) => Math.abs(numberIn(mark)));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  const reading = [...container.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "In reading order",
  );
  fireEvent.click(reading ?? container);
  expect(all(".token-word").map((mark) => numberIn(mark))).toEqual(valuesIn(fixture("shap-short")));
});

test("a whisker reaches 1.96 standard errors to either side", () => {
  const explanation = fixture("shap-twenty");
  const { blocks } = layoutTokens(explanation, scoresOf(explanation), 1200, "size", true);
  const rows = blocks.flatMap((block) => block.rows);
  const [start, end] = [rows[0], rows.at(-1)];
  const scale = ((end?.end ?? 0) - (start?.end ?? 0)) / ((end?.value ?? 0) - (start?.value ?? 0));
  for (const row of rows) expect(row.reach).toBeCloseTo(Math.abs(scale) * 1.96 * (row.error ?? 0), 1);
});

test("pointing at a word reports it, and its range is said", () => {
  const explanation = fixture("shap-twenty");
  const { one, onHover, show, container } = drawn(tokens, explanation, 620);
  fireEvent.pointerOver(one(".token-heat[data-span='3-4'] rect"));
  expect(onHover).toHaveBeenLastCalledWith([3, 4]);
  show(explanation, { hovered: [3, 4], selected: null });
  expect(container.querySelector(".readout")?.textContent).toMatch(/thin.*95 %.*to/);
});

/** A sampled explanation under a reference that draws: the second error of each number is as large as the first. */
const drawnTwice = (name: string): Explanation => {
  const explanation = fixture(name);
  const spans = explanation.reading.spans.map((span) => ({ ...span, draw_error: span.error }));
  return { ...explanation, reading: { ...explanation.reading, spans } };
};

test("whiskers, readout and table have the whole error: of the coalitions and of the reference's draws", () => {
  const explanation = drawnTwice("shap-twenty");
  const whole = explanation.reading.spans.map(({ error }) => (error ?? 0) * Math.SQRT2);
  const { all, container } = drawn(tokens, explanation, 620, { hovered: [3, 4], selected: null });
  const buttons = [...container.querySelectorAll("button")];
  for (const button of buttons.filter(({ textContent }) => textContent !== "By size"))
    fireEvent.click(button);
  for (const [place, mark] of all(".token-word").entries())
    expect(numberIn(mark, "error")).toBeCloseTo(whole[place] ?? Number.NaN, 12);
  const rows = tokens.table(explanation).rows.slice(1, -1);
  for (const [place, row] of rows.entries()) expect(row[2]).toBeCloseTo(whole[place] ?? Number.NaN, 12);
  const error = (whole[3] ?? 0).toFixed(3);
  expect(container.querySelector(".readout")?.textContent).toContain(error);
});

test("what is exact for its draws has the error of the draws", () => {
  const explanation = drawnTwice("shap-twenty");
  const spans = explanation.reading.spans.map((span) => ({ ...span, error: null }));
  const exact = { ...explanation, reading: { ...explanation.reading, exact: true, spans } };
  expect(scoresOf(exact).words.map(({ error }) => error)).toEqual(spans.map((span) => span.draw_error));
});
