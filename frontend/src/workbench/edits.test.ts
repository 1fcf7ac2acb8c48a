import { expect, test } from "vitest";
import { dropped, replaced } from "./edits";

const TEXT = "The film is not, I think, good.";
const at = (word: string) => {
  const start = TEXT.indexOf(word);
  return { start, end: start + word.length };
};

test("a dropped word leaves no gap", () => {
  expect(dropped(TEXT, at("film"))).toBe("The is not, I think, good.");
  expect(dropped(TEXT, at("not"))).toBe("The film is, I think, good.");
  expect(dropped(TEXT, at("good"))).toBe("The film is not, I think,.");
});

test("a sentence without its first word begins with the next", () => {
  expect(dropped(TEXT, at("The"))).toBe("film is not, I think, good.");
});

test("a replaced word leaves everything else in its place", () => {
  expect(replaced(TEXT, at("good"), "dreadful")).toBe("The film is not, I think, dreadful.");
});
