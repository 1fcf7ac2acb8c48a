import { expect, test } from "vitest";
import { left, missing, NEW_DESIGN, withProtocol } from "./draft";

const reading = { rows: 10, labels: {}, words: { 3: 2, 8: 5, 70: 3 }, first: [] };

test("texts are counted by the lengths that are let through", () => {
  expect(left(reading, 3, 8)).toBe(7);
  expect(left(reading, 9, 60)).toBe(0);
});

test("each step says what it still lacks", () => {
  const named = { ...NEW_DESIGN, title: "Coherence of three methods" };
  expect(missing(NEW_DESIGN, 0, null)).toBe("Give the study a name.");
  expect(missing(named, 0, null)).toBeNull();
  expect(missing(named, 1, null)).toBe("Choose the texts.");
  expect(missing(named, 1, reading)).toBeNull();
  expect(missing(named, 2, reading)).toBe("Choose at least one model.");
  expect(missing({ ...named, models: ["a"], methods: ["lime"] }, 2, reading)).toBeNull();
  expect(missing({ ...named, votes: Number.NaN }, 3, reading)).toBe("One of the numbers is not possible.");
});

test("a preference starts from the published numbers and compares two methods", () => {
  const design = withProtocol({ ...NEW_DESIGN, methods: ["a", "b", "c"] }, "preference");
  expect([design.items, design.votes, design.items_per_person]).toEqual([40, 5, 4]);
  expect([design.filters.minimum_words, design.filters.maximum_words]).toEqual([5, 12]);
  expect(design.methods).toEqual(["a", "b"]);
});
