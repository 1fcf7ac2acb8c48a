/** The questions of a screen and their answers, by key: the letters of its lines, or `choice` for a preference. */

import type { TaskDocument } from "./documents";

export type Answers = Record<string, string>;

export const questionsOf = (task: Pick<TaskDocument, "protocol" | "lines">): string[] =>
  task.protocol === "coherence" ? task.lines.map((line) => line.letter) : ["choice"];

export const complete = (questions: string[], answers: Answers): boolean =>
  questions.every((question) => question in answers);

/** The question that waits next: the first open one after `answered`, else any that is open, else `answered` itself. */
export function nextQuestion(questions: string[], answers: Answers, answered: string): string {
  const open = (question: string) => !(question in answers);
  return questions.slice(questions.indexOf(answered)).find(open) ?? questions.find(open) ?? answered;
}
