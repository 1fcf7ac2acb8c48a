// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Explanation } from "../explanation";
import { drawn, fixture, numberIn } from "./fixtures/drawing";
import { drawnBy, viewOf, views } from "./registry";

const METHOD_OF = {
  tree: "ls-tree",
  ladder: "hedge",
  graph: "asiv",
  interactions: "mahe",
  tokens: "shap",
};

/** A result whose form nobody here knows, with a reading. */
const foreign = (name: string): Explanation => ({
  ...fixture(name),
  method: "theirs",
  result: { method: "theirs", secret: 1, exact: false } as unknown as Explanation["result"],
});

test.each(views.map((view) => [view.name, view] as const))(
  "%s draws its own methods itself",
  (name, view) => {
    expect(drawnBy(view, fixture(`${METHOD_OF[name]}-short`))).toBe(view);
  },
);

test.each(views.map((view) => [view.name, view] as const))(
  "a method unknown to %s is drawn all the same",
  (_, view) => {
    const explanation = foreign("lime-short");
    const drawing = drawnBy(view, explanation);
    const { all } = drawn(drawing, explanation, 620);
    expect(all(".token-heat").map((mark) => numberIn(mark))).toEqual(
      explanation.reading.spans.map(({ score }) => score),
    );
    expect(drawing.table(explanation).rows).toHaveLength(explanation.players.length + 2);
    expect(drawing.largest(explanation)).toBeGreaterThan(0);
  },
);

test("a hierarchy of a method from elsewhere shows its words and its phrases", () => {
  const explanation = foreign("hedge-short");
  const { all } = drawn(drawnBy(views[0] as (typeof views)[number], explanation), explanation, 620);
  const drawnSpans = all(".token-word, .token-phrase").map((mark) => mark.getAttribute("data-span"));
  expect(new Set(drawnSpans).size).toBe(explanation.reading.spans.length);
});

test("players that play as one are one bar", () => {
  const explanation = foreign("asiv-groups");
  const { all } = drawn(drawnBy(views[0] as (typeof views)[number], explanation), explanation, 620);
  expect(all(".token-word")).toHaveLength(explanation.reading.spans.length);
});

test("a view that is not here is the bars' business", () => {
  expect(viewOf({ view: "ladder" })).toBe("ladder");
  expect(viewOf({ view: "hologram" })).toBe("tokens");
});
