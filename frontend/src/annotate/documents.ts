/** What the server tells an annotator's page: nothing of methods, models, other people or results. */

export type Protocol = "coherence" | "preference";

/** A word and its place in the text's characters. */
export type WordShown = { text: string; start: number; end: number };

/** One explanation of a coherence task: the phrase it found most important (HEDGE, section 4.4 and Appendix D). */
export type Line = { letter: string; phrase: string; words: number[] };

/** Words highlighted together; below zero they speak for the first of the task's poles, above for the second. */
export type Group = { words: number[]; weight: number };

/** One of the two explanations of a preference task (MAHE, section 5.2.2 and Appendix B). */
export type Highlighted = { letter: string; groups: Group[] };

/** A possible answer; the first is key 1. */
export type Option = { value: string; label: string };

export type TaskDocument = {
  id: string;
  kind: "practice" | "task";
  number: number;
  of: number;
  protocol: Protocol;
  text: string;
  words: WordShown[];
  options: Option[];
  lines: Line[];
  explanations: Highlighted[];
  poles: [string, string] | null;
  prediction: string | null;
};

export type Example = {
  text: string;
  lines: { letter: string; phrase: string; answer: string }[];
  why: string;
};

export type StudyShown = {
  id: string;
  title: string;
  protocol: Protocol;
  consent: string;
  instructions: string;
  thanks: string;
  example: Example | null;
  options: Option[];
  practice: number;
  simulated: boolean;
};

/** After a practice task; `expected` by letter, or by `choice` for a preference. */
export type Feedback = { task: string; correct: boolean; expected: Record<string, string>; why: string };

export type Completion = {
  code: string;
  url: string | null;
  form: { action: string; fields: Record<string, string> } | null;
};

export type Stage =
  | "preview"
  | "name"
  | "consent"
  | "instructions"
  | "practice"
  | "tasks"
  | "finished"
  | "full"
  | "paused"
  | "closed";

export type SessionDocument = {
  stage: Stage;
  study: StudyShown;
  progress: { done: number; total: number };
  task: TaskDocument | null;
  feedback: Feedback | null;
  completion: Completion | null;
};

export type Joined = { token: string | null; session: SessionDocument };
export type Answered = { saved: boolean; session: SessionDocument };
