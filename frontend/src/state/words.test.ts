import { expect, test } from "vitest";
import { targetClass, writtenWord } from "../explanation";
import { FIRST_QUESTION, outcomeOf, requestFor } from "./question";
import { explaining, goingOn, holding, namedWords, predictedWord, promptOf, withTyped } from "./words";

const TEXT = "The 🎬 is not good.";
test("the prompt is the text, or what stands before the word that is explained", () => {
  expect(promptOf({ text: TEXT, at: null })).toBe(TEXT);
  expect(promptOf({ text: TEXT, at: 8 })).toBe("The 🎬 is");
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
  const rest = { rather: null, against, typed: [], real: null };
  expect(namedWords({ ...rest, target: " Paris" })).toEqual([" Paris", " Munich"]);
  expect(namedWords({ ...rest, target: " Munich" })).toEqual([" Munich"]);
  expect(namedWords({ ...rest, target: null, typed: [" Rome", " Munich"], real: " Bonn" })).toEqual([
    " Rome",
    " Munich",
    " Bonn",
  ]);
});

test("the two words of a contrast change places", () => {
  const pair = { target: " Paris", rather: " London" };
  const swapped = { target: " London", rather: " Paris" };
  expect(explaining(" London", pair)).toEqual(swapped);
  expect(holding(" Paris", pair)).toEqual(swapped);
  expect(explaining(" Rome", pair)).toEqual({ target: " Rome", rather: " London" });
  expect(holding(" Rome", pair)).toEqual({ target: " Paris", rather: " Rome" });
  expect(holding(null, pair)).toEqual({ target: " Paris", rather: null });
  expect(holding(" Paris", { target: " Paris", rather: null })).toEqual({ target: " Paris", rather: null });
});

test("a typed word stays, each once, and not without end", () => {
  expect(withTyped(" dull", [" good"])).toEqual([" good", " dull"]);
  expect(withTyped(" good", [" good", " dull"])).toEqual([" dull", " good"]);
  expect(withTyped(" i", [..."abcdefgh"])).toEqual([..."bcdefgh", " i"]);
});

test("what only begins a named word is not passed over for the runner-up", () => {
  const beginning = { text: " Med", probability: 0.9, word: " Mediterranean" };
  expect(predictedWord({ label: " Red", beginning })).toBe(" Mediterranean");
  expect(predictedWord({ label: " Red", beginning: null })).toBe(" Red");
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
