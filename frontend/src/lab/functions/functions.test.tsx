import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { FittedFunction } from "../documents";
import { FunctionsFigure } from "./FunctionsFigure";
import { powers, reachOf, written } from "./wording";

const at = (mean: number | null) => ({ mean, low: null, high: null, n: 1 });
const fitted = {
  function: "F1",
  formula: "10 x1 x2",
  base: "trees",
  mahe: { mean: 0.1, low: 0.01, high: 1, n: 9 },
  products: at(0),
  known: at(30),
  errors: [],
} as unknown as FittedFunction;

test("errors are said with two digits, and the axis goes from power to power", () => {
  expect([written(0.01234), written(34.31), written(1234), written(1e-12), written(null)]).toEqual([
    "0.012",
    "34",
    "1234",
    "0",
    "–",
  ]);
  expect(reachOf([fitted])).toEqual([1e-4, 100]);
  expect(powers(1e-4, 100)).toEqual([1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100]);
});

test("dots stand at the logarithms of their errors, and nothing at the beginning of the axis", () => {
  const drawn = renderToStaticMarkup(<FunctionsFigure title="Trees" fitted={[fitted]} reach={[1e-4, 100]} />);
  const places = [...drawn.matchAll(/<circle cx="([\d.]+)"/g)].map(([, place]) => Number(place));
  // Six powers of ten between 40 and 424.
  expect(places[0]).toBeCloseTo(40 + (384 * 3) / 6);
  expect(places[1]).toBeCloseTo(40);
  expect(places[2]).toBeCloseTo(40 + (384 * (4 + Math.log10(30))) / 6);
  expect(drawn).toContain('aria-label="Trees. F1: MAHE 0.1, Products of the inputs 0, The model itself 30"');
});
