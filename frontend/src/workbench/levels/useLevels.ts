/** What is known of a long text's levels: Shapley values of the parts, on the way from the text to what is open. */
import { useRef } from "react";
import type { Explanation } from "../../explanation";
import type { JobState } from "../../state/job";
import { useJob } from "../../state/jobs";
import { type Level, playersOf, valuedLevels, WORTH } from "../../state/levels";
import { type Question, requestFor } from "../../state/question";

export interface Levels {
  /** The text first. Those of the question before, until the new ones are there. */
  levels: Level[];
  explanation: Explanation;
  /** Colours run from -domain to +domain. */
  domain: number;
  stale: boolean;
}

/** The same request as that of the bars, so that it is the same job; and one of its own where the bars show another
 * method. Without a question, nothing. */
export function useLevels(
  question: Question | null,
  words: boolean,
): { found: Levels | null; state: JobState | null } {
  const nested = question !== null && playersOf(question, words) === "nested" ? question : null;
  const settings = nested?.methods.tokens === WORTH ? { ...nested.parameters.tokens } : {};
  const followed = useJob(
    nested && {
      ...requestFor({ ...nested, methods: { ...nested.methods, tokens: WORTH } }, "tokens", settings, words),
      parameters: settings,
    },
  );
  const before = useRef<Explanation | null>(null);
  const now = followed?.state.explanation ?? null;
  if (now) before.current = now;
  const explanation = now ?? (nested && before.current?.text === nested.text ? before.current : null);
  if (!nested || !explanation) return { found: null, state: followed?.state ?? null };
  const levels = valuedLevels(explanation);
  const values = levels.flatMap(({ parts }) => parts.map(({ value }) => Math.abs(value ?? 0)));
  return {
    found: { levels, explanation, domain: Math.max(0, ...values), stale: now === null },
    state: followed?.state ?? null,
  };
}
