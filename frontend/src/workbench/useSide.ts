/** One side of a card: the job of one view for one subject, and what there is to draw of it. */
import { useRef } from "react";
import type { Explanation, ExplanationRequest } from "../explanation";
import { type MethodEntry, settingsOf } from "../service/catalog";
import { usualSettings } from "../state/budgets";
import type { JobState } from "../state/job";
import { useJob } from "../state/jobs";
import { playersOf } from "../state/levels";
import { requestFor, type Settings, type Subject } from "../state/question";
import { promptOf } from "../state/words";
import type { ViewName } from "../views/registry";

export interface Side {
  subject: Subject;
  request: ExplanationRequest;
  settings: Settings;
  state: JobState;
  /** What to draw: of this job, or of the one before if that was the same question with less precision. */
  explanation: Explanation | null;
  /** Whether `explanation` is of the job before. */
  stale: boolean;
  cancel(): void;
  again(): void;
}

/** `methods` are those of the catalog: what they say of their settings decides how much work a picture opens with. */
export function useSide(
  subject: Subject | null,
  view: ViewName,
  words: boolean,
  methods: readonly MethodEntry[] = [],
): Side | null {
  const method = methods.find(({ name }) => name === subject?.methods[view]);
  const players = subject && playersOf(subject, words);
  // How much a level of a long text is worth, the server knows.
  const usual =
    subject && method && players !== "nested"
      ? usualSettings(settingsOf(method), promptOf(subject), words, players === "words")
      : {};
  const settings = { ...usual, ...subject?.parameters[view] };
  const request = subject && requestFor(subject, view, settings, words);
  const followed = useJob(request);
  const before = useRef<{ question: string; explanation: Explanation } | null>(null);
  if (!subject || !request || !followed) return null;
  const { state, cancel, again } = followed;
  const { parameters: _, draws: __, ...rest } = request;
  const question = JSON.stringify(rest);
  if (state.explanation) before.current = { question, explanation: state.explanation };
  const known = before.current?.question === question ? before.current.explanation : null;
  return {
    subject,
    request,
    settings,
    state,
    explanation: state.explanation ?? known,
    stale: state.explanation === null && known !== null,
    cancel,
    again,
  };
}
