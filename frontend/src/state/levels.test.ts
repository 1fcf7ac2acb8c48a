import { expect, test } from "vitest";
import type { Explanation } from "../explanation";
import { above, isLong, type Level, partAround, placeOf, playersOf, valuedLevels } from "./levels";
import { FIRST_QUESTION, otherSide, requestFor, under } from "./question";

const SENTENCE = "The first half hour is slow, and the music does not help at all. ";
const LONG = SENTENCE.repeat(6);
const part = (
  start: number,
  end: number,
  kind: "sentence" | "phrase" | "word",
  value: number | null = null,
) => ({
  start,
  end,
  kind,
  value,
  error: null,
});
const LEVELS: Level[] = [
  {
    start: 0,
    end: 20,
    kind: "text",
    value: 0.5,
    parts: [part(0, 8, "sentence", 0.2), part(8, 20, "sentence", 0.3)],
  },
  { start: 8, end: 20, kind: "sentence", value: 0.3, parts: [part(8, 12, "phrase"), part(12, 20, "phrase")] },
];

test("a text is long when it is several sentences that nobody takes in at one look", () => {
  expect(isLong(SENTENCE)).toBe(false);
  expect(isLong(LONG)).toBe(true);
  expect(isLong("word ".repeat(90))).toBe(false);
  expect(isLong("word ".repeat(150))).toBe(true);
});

test("long texts are explained level by level unless somebody chooses otherwise", () => {
  const subject = { ...FIRST_QUESTION, text: LONG, open: [15, 30] as const };
  expect(requestFor(subject, "tree", {})).toMatchObject({ players: "nested", open: [15, 30] });
  expect(requestFor({ ...subject, players: "words" }, "tree", {})).not.toHaveProperty("open");
  expect(requestFor({ ...subject, text: SENTENCE }, "tree", {})).toMatchObject({ players: "words" });
  expect(playersOf(subject, true)).toBe("words");
});

test("another text has nothing open", () => {
  const subject = { ...FIRST_QUESTION, text: LONG, open: [15, 30] as const };
  expect(otherSide(subject, { text: "Other." }).open).toBeNull();
  expect(otherSide(subject, { model: "sst2-cnn" }).open).toEqual([15, 30]);
});

test("the open level has its values from the bars' reading", () => {
  const spans = [
    { score: 0.1, error: null },
    { score: 0.2, error: 0.01 },
  ];
  const explanation = { method: "shap", levels: LEVELS, reading: { spans } } as unknown as Explanation;
  expect(
    valuedLevels(explanation)
      .at(-1)
      ?.parts.map(({ value, error }) => [value, error]),
  ).toEqual([
    [0.1, null],
    [0.2, 0.01],
  ]);
  expect(valuedLevels({ ...explanation, method: "hedge" }).at(-1)?.parts[0]?.value).toBeNull();
});

test("closing goes one level up, and from the first one to the text", () => {
  const words: Level = { start: 12, end: 20, kind: "phrase", value: null, parts: [] };
  expect(above([...LEVELS, words], [12, 20])).toEqual([8, 20]);
  expect(above(LEVELS, [8, 20])).toBeNull();
});

test("parts are called by their place, and found by the words in them", () => {
  const [text] = LEVELS as [Level];
  const second = partAround(text, [9, 11]);
  expect(second && placeOf(text, second)).toBe("sentence 2");
  expect(partAround(text, [7, 9])).toBeUndefined();
});

test("another reference draws and fills in by its own choice", () => {
  const subject = {
    ...FIRST_QUESTION,
    reference: "conditional" as const,
    draws: 16,
    fill: "in-turn" as const,
  };
  expect(requestFor(subject, "tokens", {})).toMatchObject({ draws: 16, fill: "in-turn" });
  for (const other of [under(subject, "pad"), otherSide(subject, { reference: "pad" })]) {
    expect(requestFor(other, "tokens", {})).not.toHaveProperty("draws");
    expect(requestFor(other, "tokens", {})).not.toHaveProperty("fill");
  }
  expect(otherSide(subject, { target: "negative" })).toMatchObject({ draws: 16, reference: "conditional" });
});
