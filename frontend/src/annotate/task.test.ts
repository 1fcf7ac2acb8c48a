import { expect, test } from "vitest";
import { answerOne, complete } from "./task";

test("after an answer the next open line waits", () => {
  expect(answerOne([null, null, null], 0, "Positive")).toEqual({
    answers: ["Positive", null, null],
    next: 1,
  });
});

test("a line skipped before is asked again once the last is answered", () => {
  expect(answerOne([null, "Negative", null], 2, "N/A")).toEqual({
    answers: [null, "Negative", "N/A"],
    next: 0,
  });
});

test("changing an answer stays on its line when nothing is open", () => {
  expect(answerOne(["Positive", "Negative"], 0, "N/A")).toEqual({ answers: ["N/A", "Negative"], next: 0 });
});

test("answers are complete when no line is open", () => {
  expect(complete(["Positive", null])).toBe(false);
  expect(complete(["Positive", "N/A"])).toBe(true);
});
