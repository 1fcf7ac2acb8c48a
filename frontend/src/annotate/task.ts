/** What one screen of a study asks. The server never sends the method, the model or other people's answers. */

/** A word of the text and where it stands in it, in characters. */
export type Word = { text: string; start: number; end: number };

/** Words from `start` up to `end` that share one weight; above zero speaks for the prediction. */
export type Highlight = { start: number; end: number; weight: number };

export type Line = { letter: string; phrase: string };

/** "What did the model say?", asked once for each phrase under the text (HEDGE, section 4.4 and Appendix D). */
export type CoherenceTask = {
  kind: "coherence";
  id: string;
  practice: boolean;
  text: string;
  lines: Line[];
  choices: string[];
};

export type Option = { letter: string; highlights: Highlight[] };

/** "Which explains it better?", two pictures of one prediction (MAHE, section 5.2.2 and Appendix B). */
export type PreferenceTask = {
  kind: "preference";
  id: string;
  practice: boolean;
  text: string;
  words: Word[];
  prediction: string | null;
  options: Option[];
};

export type Task = CoherenceTask | PreferenceTask;

/** One answer for each line of a coherence task, one in all for a preference. */
export type Answers = (string | null)[];

export const questionsOf = (task: Task): number => (task.kind === "coherence" ? task.lines.length : 1);

export const choicesOf = (task: Task): string[] =>
  task.kind === "coherence" ? task.choices : task.options.map((option) => option.letter);

export const blank = (task: Task): Answers => Array<string | null>(questionsOf(task)).fill(null);

export const complete = (answers: Answers): answers is string[] => answers.every((answer) => answer !== null);

/** Writes one answer, and says which question waits next: the first that is still open, else the one just answered. */
export function answerOne(
  answers: Answers,
  question: number,
  choice: string,
): { answers: Answers; next: number } {
  const written = answers.map((answer, index) => (index === question ? choice : answer));
  const after = written.findIndex((answer, index) => answer === null && index > question);
  const open = after >= 0 ? after : written.indexOf(null);
  return { answers: written, next: open >= 0 ? open : question };
}
