// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useAnswer } from "./answer";

test("a late answer is never shown for another question", async () => {
  const replies = new Map<string, (value: string) => void>();
  const ask = (question: string) => new Promise<string>((reply) => replies.set(question, reply));
  const { result, rerender } = renderHook(({ question }) => useAnswer(question, ask), {
    initialProps: { question: "first" },
  });
  rerender({ question: "second" });
  await act(async () => replies.get("first")?.("answer to the first"));
  expect(result.current).toEqual({ state: "waiting" });
  await act(async () => replies.get("second")?.("answer to the second"));
  expect(result.current).toEqual({ state: "here", value: "answer to the second" });
});
