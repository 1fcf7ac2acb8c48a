import { expect, test } from "vitest";
import type { Explanation } from "../explanation";
import { differences, unusedSide } from "./differences";

function scored(text: string, values: number[]): Explanation {
  const words = text.split(" ").map((word) => ({ text: word, start: 0, end: 0 }));
  return {
    text,
    words,
    players: words.map(({ text: word }, index) => ({ text: word, start: index, end: index + 1 })),
    reading: { spans: values.map((score, start) => ({ start, end: start + 1, score })) },
  } as unknown as Explanation;
}

test("the same text is subtracted word by word, the largest difference first", () => {
  expect(differences(scored("not good", [1, 2]), scored("not good", [1.5, -2]))).toEqual([
    { span: [1, 2], one: 2, other: -2 },
    { span: [0, 1], one: 1, other: 1.5 },
  ]);
});

test("a changed sentence is matched by its words; what only one side has is left out", () => {
  const found = differences(
    scored("a really good film", [1, 2, 3, 4]),
    scored("a film good film", [9, 8, 7, 6]),
  );
  expect(found.map(({ span, other }) => [span[0], other])).toEqual([
    [0, 9],
    [2, 7],
    [3, 6],
  ]);
});

test("a word that does nothing on one side only is told apart", () => {
  const row = (one: number, other: number, end = 1) => ({ span: [0, end] as const, one, other });
  expect(unusedSide(row(0, 0.3), 1)).toBe(0);
  expect(unusedSide(row(0.3, 1e-9), 1)).toBe(1);
  expect(unusedSide(row(0, 1e-4), 1)).toBeNull();
  expect(unusedSide(row(0.2, 0.3), 1)).toBeNull();
  expect(unusedSide(row(0, 0.3, 2), 1)).toBeNull();
});
