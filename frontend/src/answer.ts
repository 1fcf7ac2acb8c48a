import { useEffect, useState } from "react";
import { ApiProblem } from "./api";

/** What is known of a question asked to the server. */
export type Answer<T> =
  | { state: "waiting" }
  | { state: "here"; value: T }
  | { state: "failed"; problem: string };

type Ask<Q, T> = (question: Q, signal: AbortSignal) => Promise<T>;

/**
 * Ask, and ask again whenever the question is a new object; what was asked before is cancelled and never shown
 * as the answer to something else. Without a question it waits.
 */
export function useAnswer<Q, T>(question: Q | undefined, ask: Ask<Q, T>): Answer<T> {
  const [given, setGiven] = useState<{ question: Q; answer: Answer<T> }>();
  useEffect(() => {
    if (question === undefined) return;
    const controller = new AbortController();
    ask(question, controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setGiven({ question, answer: { state: "here", value } });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const problem = error instanceof ApiProblem ? error.message : `The page failed: ${error}`;
        setGiven({ question, answer: { state: "failed", problem } });
      },
    );
    return () => controller.abort();
  }, [question, ask]);
  return given && given.question === question ? given.answer : { state: "waiting" };
}
