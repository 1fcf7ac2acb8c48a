// @vitest-environment happy-dom
import { fireEvent } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Explanation } from "../explanation";
import { drawn, fixture, numberIn } from "./fixtures/drawing";
import { drawnBy, viewOf, views } from "./registry";
import { MOST_PAIRS } from "./tokens/rows";

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

/** A result that says something of pairs only, as an interaction method from elsewhere may. */
const pairsOnly = (): Explanation => {
  const explanation = foreign("asiv-short");
  return {
    ...explanation,
    reading: { ...explanation.reading, spans: [], groups: [], top: null, ranking: [] },
  };
};

test.each(views.map((view) => [view.name, view] as const))(
  "pairs alone, of a method unknown to %s, are drawn and listed",
  (_, view) => {
    const explanation = pairsOnly();
    const drawing = drawnBy(view, explanation);
    const { all, one, container, onHover } = drawn(drawing, explanation, 620);
    const strongest = explanation.reading.pairs.toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score));
    expect(all(".token-pair").map((mark) => numberIn(mark))).toEqual(
      strongest.slice(0, MOST_PAIRS).map(({ score }) => score),
    );
    expect(one(".token-pair").textContent).toContain("not × heartwarming");
    expect(one(".token-pair .token-whisker")).toBeTruthy();
    fireEvent.pointerOver(one(".token-pair rect"));
    expect(onHover).toHaveBeenLastCalledWith([9, 10]);
    expect(container.querySelector(".readout")?.textContent).toMatch(/not × heartwarming.*95 %/);
    expect(drawing.table(explanation).rows).toHaveLength(explanation.reading.pairs.length + 2);
    expect(drawing.largest(explanation)).toBe(Math.abs(strongest[0]?.score ?? 0));
  },
);

test("a result that says nothing of words, phrases or pairs says so", () => {
  const explanation = pairsOnly();
  const nothing = { ...explanation, reading: { ...explanation.reading, pairs: [] } };
  const { container } = drawn(drawnBy(views[0] as (typeof views)[number], nothing), nothing, 620);
  expect(container.textContent).toContain("Nothing is said");
});

test("a view that is not here is the bars' business", () => {
  expect(viewOf({ view: "ladder" }).name).toBe("ladder");
  expect(viewOf({ view: "hologram" }).name).toBe("tokens");
});
