import { expect, test } from "vitest";
import { runs } from "./runs";

const text = "It makes no sense.";
const words = [
  { text: "It", start: 0, end: 2 },
  { text: "makes", start: 3, end: 8 },
  { text: "no", start: 9, end: 11 },
  { text: "sense", start: 12, end: 17 },
  { text: ".", start: 17, end: 18 },
];
const plain = (pieces: ReturnType<typeof runs>) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");

test("neighbouring words of a group are highlighted as one", () => {
  expect(runs(text, words, [{ words: [2, 3], weight: -0.9 }])).toEqual([
    "It makes ",
    { text: "no sense", weight: -0.9, first: 2, last: 3, joined: true },
    ".",
  ]);
});

test("words that belong together across others are separate runs that say so", () => {
  const found = runs(text, words, [
    { words: [1, 3], weight: 0.5 },
    { words: [2], weight: -0.3 },
  ]).filter((piece) => typeof piece !== "string");
  expect(found.map(({ text, weight, joined }) => [text, weight, joined])).toEqual([
    ["makes", 0.5, true],
    ["no", -0.3, false],
    ["sense", 0.5, true],
  ]);
});

test("no character of the text is lost, whatever is highlighted", () => {
  for (const groups of [[], [{ words: [0, 1, 2, 3, 4], weight: 1 }], [{ words: [4, 0], weight: -1 }]]) {
    expect(plain(runs(text, words, groups))).toBe(text);
  }
});

test("a weight that cannot be seen stays plain", () => {
  expect(runs(text, words, [{ words: [0], weight: 0.01 }])).toEqual([text]);
});
