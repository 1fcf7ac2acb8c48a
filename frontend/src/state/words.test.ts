import { expect, test } from "vitest";
import { targetClass, writtenWord } from "../explanation";
import { FIRST_QUESTION, outcomeOf, requestFor } from "./question";
import { goingOn, namedWords, promptOf, realWord } from "./words";

const TEXT = "The 🎬 is not good.";
/** As the server counts: a picture is one character. */
const WORDS = [
  { start: 0, end: 3 },
  { start: 4, end: 5 },
  { start: 6, end: 8 },
  { start: 9, end: 12 },
  { start: 13, end: 17 },
  { start: 17, end: 18 },
];

test("the prompt is the text, or what stands before the word that is explained", () => {
  expect(promptOf({ text: TEXT, at: null })).toBe(TEXT);
  expect(promptOf({ text: TEXT, at: 8 })).toBe("The 🎬 is");
});

test("the real word goes on from the prompt, space and all", () => {
  expect(realWord({ text: TEXT, at: 8 }, WORDS)).toBe(" not");
  expect(realWord({ text: TEXT, at: 17 }, WORDS)).toBe(".");
  expect(realWord({ text: TEXT, at: null }, WORDS)).toBeNull();
});

test("a typed word goes on after a space, a sign without one", () => {
  expect(goingOn("Paris")).toBe(" Paris");
  expect(goingOn(" Paris ")).toBe(" Paris");
  expect(goingOn(",")).toBe(",");
});

test("a language model is asked for a word, a classifier for a class", () => {
  const subject = { target: " Paris", rather: " London" };
  expect(outcomeOf(subject, true)).toEqual({ outcome: " Paris", against: " London" });
  expect(outcomeOf({ target: "negative", rather: null }, false)).toEqual({ target: "negative" });
  const request = requestFor({ ...FIRST_QUESTION, ...subject, text: TEXT, at: 8 }, "tokens", {}, true);
  expect(request).toMatchObject({ text: "The 🎬 is", outcome: " Paris", against: " London" });
  expect(request).not.toHaveProperty("target");
});

test("every word of a comparison is looked at, and none twice", () => {
  const against = { target: " Munich" };
  expect(namedWords({ target: " Paris", rather: null, against })).toEqual([" Paris", " Munich"]);
  expect(namedWords({ target: " Munich", rather: null, against })).toEqual([" Munich"]);
});

test.each([
  [" Paris", "Paris"],
  [",", ","],
  ["ly", "-ly"],
  ["\n\n", "↵"],
  [" ", "␣"],
])("%j is read as %s", (word, read) => {
  expect(writtenWord(word)).toBe(read);
});

test("an explanation names its word, and the one it is held against", () => {
  const classes = [" Paris", " London", "any other word"];
  const pieces = [[" Paris"], [" London"]];
  expect(targetClass({ classes, target: 0, against: null, pieces })).toBe("“Paris”");
  expect(targetClass({ classes, target: 0, against: 1, pieces })).toBe("“Paris” rather than “London”");
  expect(targetClass({ classes: ["negative", "positive"], target: 1 })).toBe("positive");
});
