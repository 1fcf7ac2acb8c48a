import { expect, test } from "vitest";
import type { Explanation } from "../../explanation";
import { agreement, kendall } from "./kendall";

// The numbers are scipy's: scipy.stats.kendalltau(one, other).statistic
test.each([
  [[1, 2, 3, 4], [1, 2, 3, 4], 1],
  [[1, 2, 3, 4], [4, 3, 2, 1], -1],
  [[0.3, -0.1, 0, 0.2, 0.9], [0.1, 0.4, -0.2, 0.3, 0.2], -0.2],
  [[1, 1, 2, 3, 3, 5], [2, 1, 1, 4, 3, 6], 0.7412493166611013],
])("%j and %j agree by %f", (one, other, tau) => {
  expect(kendall(one, other)).toBeCloseTo(tau, 12);
});

test("what ranks nothing agrees with nothing", () => {
  expect(kendall([0, 0, 0], [1, 2, 3])).toBeNull();
  expect(kendall([], [])).toBeNull();
});

test("words are compared by their place, and phrases not at all", () => {
  const words = [0, 1, 2].map((at) => ({ text: `w${at}`, start: 2 * at, end: 2 * at + 1 }));
  const players = [0, 1, 2].map((at) => ({ text: `w${at}`, start: at, end: at + 1 }));
  const span = (start: number, end: number, score: number, level: number) => ({ start, end, score, level });
  const explained = (spans: object[]) => ({ words, players, reading: { spans } }) as unknown as Explanation;
  const one = explained([span(0, 3, 99, 1), span(0, 1, 3, 0), span(1, 2, 2, 0), span(2, 3, 1, 0)]);
  const other = explained([span(2, 3, 10, 0), span(0, 1, 30, 0), span(1, 2, 20, 0)]);
  expect(agreement(one, other)).toBe(1);
});
