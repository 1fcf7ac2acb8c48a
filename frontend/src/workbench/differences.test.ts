import { expect, test } from "vitest";
import type { Explanation } from "../explanation";
import { differences, howFarSeen, unusedSide } from "./differences";

function scored(text: string, values: number[], pairs: [number, number, number][] = []): Explanation {
  const words = text.split(" ").map((word) => ({ text: word, start: 0, end: 0 }));
  return {
    text,
    words,
    players: words.map(({ text: word }, index) => ({ text: word, start: index, end: index + 1 })),
    reading: {
      spans: values.map((score, start) => ({ start, end: start + 1, score })),
      pairs: pairs.map(([first, second, score]) => ({ first, second, score })),
    },
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

test("pairs are subtracted too, of a changed sentence by its words", () => {
  const first = scored(
    "a really good film",
    [],
    [
      [0, 2, 1],
      [1, 2, 5],
      [2, 3, 3],
    ],
  );
  const second = scored(
    "a good film",
    [],
    [
      [0, 1, 4],
      [1, 2, 2],
    ],
  );
  expect(differences(first, second)).toEqual([
    { span: [0, 1], beside: [2, 3], one: 1, other: 4 },
    { span: [2, 3], beside: [3, 4], one: 3, other: 2 },
  ]);
});

test("a word that makes no difference on one side only, and is credited on the other, is told apart", () => {
  const players = [0, 1].map((at) => ({ text: `w${at}`, start: at, end: at + 1 }));
  const [used, unused] = [
    { players, idle: [] },
    { players, idle: [1] },
  ];
  const row = (one: number, other: number) => ({ span: [1, 2] as const, one, other });
  expect(unusedSide(row(0, 0.3), [unused, used], 1)).toBe(0);
  expect(unusedSide(row(0.3, 0), [used, unused], 1)).toBe(1);
  expect(unusedSide(row(0, 1e-4), [unused, used], 1)).toBeNull();
  expect(unusedSide(row(0, 0), [unused, unused], 1)).toBeNull();
  expect(unusedSide(row(0, 0.3), [used, used], 1)).toBeNull();
  expect(unusedSide({ ...row(0, 0.3), span: [0, 1] }, [unused, used], 1)).toBeNull();
});

test("only where every combination was tried is a word said to be unused whatever else was there", () => {
  const players = Array.from({ length: 11 }, (_, at) => ({ text: `w${at}`, start: at, end: at + 1 }));
  expect(howFarSeen({ players, evaluations: { distinct: 2048 } })).toBe("whatever else was there");
  expect(howFarSeen({ players, evaluations: { distinct: 1024 } })).toBe(
    "in all 1,024 combinations of words that were tried",
  );
});
