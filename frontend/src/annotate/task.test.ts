import { expect, test } from "vitest";
import { complete, nextQuestion, questionsOf } from "./task";

const ABC = ["A", "B", "C"];

test("every line of a coherence task is a question, a preference is one", () => {
  const line = (letter: string) => ({ letter, phrase: "", words: [] });
  expect(questionsOf({ protocol: "coherence", lines: [line("A"), line("B")] })).toEqual(["A", "B"]);
  expect(questionsOf({ protocol: "preference", lines: [] })).toEqual(["choice"]);
});

test("after an answer the next open line waits", () => {
  expect(nextQuestion(ABC, { A: "positive" }, "A")).toBe("B");
});

test("a line skipped before is asked again once the last is answered", () => {
  expect(nextQuestion(ABC, { B: "negative", C: "n/a" }, "C")).toBe("A");
});

test("changing an answer stays on its line when nothing is open", () => {
  expect(nextQuestion(ABC, { A: "n/a", B: "negative", C: "positive" }, "B")).toBe("B");
});

test("answers are complete when no line is open", () => {
  expect(complete(ABC, { A: "positive", B: "n/a" })).toBe(false);
  expect(complete(ABC, { A: "positive", B: "n/a", C: "n/a" })).toBe(true);
});
