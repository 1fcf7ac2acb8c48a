// @vitest-environment happy-dom

import { act, fireEvent } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Explanation } from "../../explanation";
import { numbersLike } from "../../marks";
import { wordsOf } from "../../spans";
import { drawn, fixture, marksIn, svgOf } from "../fixtures/drawing";
import type { Speech } from "./Blocks";
import ladder from "./index";
import { happened } from "./LadderReadout";
import { layoutLadder } from "./layout";
import { ladderOf } from "./result";

const FIXTURES = [
  ...["short", "twenty", "sixty", "scripts", "one-word", "phrases"].map((name) => `hedge-${name}`),
  "hedge-merge-short",
  "acd-short",
];

function resultOf(explanation: Explanation) {
  const result = ladderOf(explanation);
  if (result === null) throw new Error(`not a ladder: got ${explanation.method}`);
  return result;
}

test.each([
  ["hedge-short", 1200],
  ["hedge-merge-short", 1200],
  ["acd-short", 620],
  ["hedge-twenty", 350],
] as const)("%s looks as before at %i pixels", async (name, width) => {
  await expect(svgOf(ladder, fixture(name), width)).toMatchFileSnapshot(`snapshots/${name}-${width}.svg`);
});

describe.each(FIXTURES)("%s", (name) => {
  test.each([350, 1200])("shows every number of the result at %i pixels", (width) => {
    const explanation = fixture(name);
    const cells = marksIn(svgOf(ladder, explanation, width), "cell");
    const spans = resultOf(explanation).levels.flatMap((level) => level.spans);
    expect(cells.map((cell) => Number(cell.value))).toEqual(spans.map((span) => span.contribution));
    expect(cells.map((cell) => cell.span)).toEqual(
      spans.map((span) => wordsOf(explanation, span.start, span.end).join("-")),
    );
  });

  test.each([350, 620, 1200])("stays within %i pixels with its words apart", (width) => {
    const explanation = fixture(name);
    const { paragraph, rows, ...layout } = layoutLadder(explanation, resultOf(explanation), width, false);
    let [line, right] = [0, 0];
    for (const slot of paragraph.slots) {
      if (slot.line > line) [line, right] = [slot.line, 0];
      expect(slot.left).toBeGreaterThanOrEqual(right);
      expect(slot.right).toBeLessThanOrEqual(layout.width);
      right = slot.right;
    }
    for (const [index, row] of rows.entries())
      expect(row.y).toBeGreaterThanOrEqual(
        index === 0 ? 0 : (rows[index - 1]?.y ?? 0) + (rows[index - 1]?.height ?? 0),
      );
  });
});

test("the top phrase has a ring where it first stands alone", () => {
  const { all } = drawn(ladder, fixture("hedge-short"), 1200);
  expect(all("[data-top]")).toHaveLength(1);
});

test("a longer partial result adds rows and leaves the others as they are", () => {
  const explanation = fixture("hedge-short");
  const result = resultOf(explanation);
  const partial = { ...explanation, result: { ...result, levels: result.levels.slice(0, 4) } } as Explanation;
  const { all, show } = drawn(ladder, partial, 1200);
  const before = all("[data-cell]").map((cell) => cell.outerHTML);
  show(explanation);
  expect(all("[role='row']")).toHaveLength(result.levels.length);
  expect(
    all("[data-cell]")
      .slice(0, before.length)
      .map((cell) => cell.outerHTML),
  ).toEqual(before);
});

test("a ladder that grows keeps its form", () => {
  const explanation = fixture("hedge-short");
  const result = resultOf(explanation);
  for (const width of [350, 1200]) {
    const whole = layoutLadder(explanation, result, width, false);
    const begun = layoutLadder(explanation, { ...result, levels: result.levels.slice(0, 2) }, width, false);
    expect(begun.rows).toEqual(whole.rows.slice(0, 2));
    expect(begun.lens).toEqual(whole.lens);
  }
});

test("the slider leads through the levels: later rows step back, and the step is said in words", () => {
  const { container, all } = drawn(ladder, fixture("hedge-short"), 1200);
  const slider = container.querySelector("input");
  if (slider === null) throw new Error("no slider");
  fireEvent.change(slider, { target: { value: "5" } });
  expect(all(".ladder-row[data-later]")).toHaveLength(resultOf(fixture("hedge-short")).levels.length - 6);
  expect(container.querySelector(".readout")?.textContent).toMatch(
    /^Level 5 parts “.+” from “.+”: interaction/,
  );
});

test("arrow keys move between blocks and levels; Enter chooses", () => {
  const { one, onSelect } = drawn(ladder, fixture("hedge-short"), 1200);
  one("[role='grid']").focus();
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  const at = () => document.activeElement?.getAttribute("data-cell");
  press("Home");
  expect(at()).toBe("0-0");
  press("ArrowDown");
  press("ArrowRight");
  expect(at()).toBe("1-1");
  press("ArrowUp");
  expect(at()).toBe("0-0");
  press("Enter");
  expect(onSelect).toHaveBeenLastCalledWith([0, 14]);
});

test("the Tab key leads out of the ladder on both sides", () => {
  const { one } = drawn(ladder, fixture("hedge-short"), 1200);
  act(() => one("[role='grid']").focus());
  expect(document.activeElement?.getAttribute("role")).toBe("gridcell");
  expect(one("[role='grid']").getAttribute("tabindex")).toBe("-1");
  fireEvent.blur(document.activeElement ?? document.body);
  expect(one("[role='grid']").getAttribute("tabindex")).toBe("0");
});

test("a long sentence has all levels as strips, and the one being looked at written out", () => {
  const explanation = fixture("hedge-sixty");
  const picture = svgOf(ladder, explanation, 620);
  const strips = resultOf(explanation).levels.reduce((count, level) => count + level.spans.length, 0);
  expect(marksIn(picture, "cell")).toHaveLength(strips);
  const written = [...picture.matchAll(/<text[^>]*text-anchor="middle"[^>]*>([^<]+)</g)].map(
    (found) => found[1],
  );
  expect(written).toHaveLength(explanation.words.length);
});

test("a cut that may be another one is dotted, and says how sure it is", () => {
  const explanation = fixture("hedge-short");
  const result = resultOf(explanation);
  const levels = result.levels.map((level, at) => ({
    ...level,
    step: level.step && { ...level.step, certainty: at === 2 ? 0.9 : at === 3 ? 0.99 : 1, standard_error: 0 },
  }));
  const unsure = { ...explanation, result: { ...result, levels, form: "economical" } } as Explanation;
  const { all } = drawn(ladder, unsure, 1200);
  expect(all("[data-certainty]").map((tick) => tick.getAttribute("data-certainty"))).toEqual(["0.9", "0.99"]);
  expect(all("[stroke-dasharray='2 2']")).toHaveLength(1);
  const speech = { neutral: 0, numbers: numbersLike([0.1]) } as Speech;
  const said = (level: number) => happened(unsure, resultOf(unsure), speech, level);
  expect(said(2)).toContain(", 90.0% sure.");
  expect(said(4)).not.toContain("sure");
});
