import { expect, test } from "vitest";
import type { Tree } from "./api";
import { brackets, heights } from "./tree";

const word = (text: string) => ({ text, start: 0, end: text.length });
const leaf = (start: number) => ({ start, end: start + 1, labels: [], children: [] });

const tree: Tree = {
  words: ["The", "music", "is", "not", "bad"].map(word),
  nodes: [
    { start: 0, end: 5, labels: ["S"], children: [1, 4] },
    { start: 0, end: 2, labels: ["NP"], children: [2, 3] },
    leaf(0),
    leaf(1),
    { start: 2, end: 5, labels: ["S", "VP"], children: [5, 6] },
    leaf(2),
    { start: 3, end: 5, labels: ["ADJP"], children: [7, 8] },
    leaf(3),
    leaf(4),
  ],
};

test("a phrase stands one step above its highest part", () => {
  expect(heights(tree)).toEqual([3, 1, 0, 0, 2, 0, 1, 0, 0]);
});

test("a tree is written in brackets as linguists do", () => {
  expect(brackets(tree)).toBe("(S (NP The music) (S+VP is (ADJP not bad)))");
});

test("one word alone needs no brackets", () => {
  const single: Tree = { words: [word("Lovely")], nodes: [leaf(0)] };
  expect(heights(single)).toEqual([0]);
  expect(brackets(single)).toBe("Lovely");
});
