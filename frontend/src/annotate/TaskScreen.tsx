import { type ReactNode, useEffect, useState } from "react";
import { CoherenceScreen } from "./CoherenceScreen";
import { Feedback, type PracticeFeedback } from "./Feedback";
import { PreferenceScreen } from "./PreferenceScreen";
import { type Answers, answerOne, blank, choicesOf, complete, type Task } from "./task";
import { useKeys } from "./useKeys";

type Props = {
  task: Task;
  /** Called with one answer for each question, once all are given and the person goes on. */
  onSubmit: (answers: string[]) => void;
  /** While an answer is on its way nothing can be changed. */
  busy: boolean;
  /** What a practice answer was worth; the task stays in sight until it is read. */
  feedback?: PracticeFeedback | null;
  onRead?: () => void;
  /** What stands beside the button: how saving goes. */
  status?: ReactNode;
};

/** One task, answered by pointer or by the number keys, and left with a button or Enter. */
export function TaskScreen({ task, onSubmit, busy, feedback = null, onRead, status }: Props) {
  const [answers, setAnswers] = useState<Answers>(() => blank(task));
  const [active, setActive] = useState(0);
  const ready = complete(answers);
  const locked = busy || feedback !== null;

  const answer = (question: number, choice: string) => {
    if (locked) return;
    const { answers: written, next } = answerOne(answers, question, choice);
    setAnswers(written);
    setActive(next);
  };
  const goOn = () => {
    if (complete(answers) && !locked) onSubmit(answers);
  };

  const choices = choicesOf(task);
  useKeys((key) => {
    if (locked) return false;
    const choice = choices[Number(key) - 1];
    if (choice !== undefined) answer(active, choice);
    else if (key === "ArrowUp") setActive(Math.max(0, active - 1));
    else if (key === "ArrowDown") setActive(Math.min(answers.length - 1, active + 1));
    else if (key === "Enter") goOn();
    else return false;
    return true;
  });

  // A phone shows a long text first; what comes next must not wait below the fold unseen.
  useEffect(() => window.scrollTo?.(0, 0), []);

  return (
    <form
      className="task"
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
    >
      <h1 className="question" tabIndex={-1}>
        {questionFor(task)}
      </h1>
      {task.kind === "coherence" ? (
        <CoherenceScreen task={task} answers={answers} active={locked ? null : active} onAnswer={answer} />
      ) : (
        <PreferenceScreen
          task={task}
          chosen={answers[0] ?? null}
          onChoose={locked ? null : (letter) => answer(0, letter)}
        />
      )}
      {feedback ? (
        <Feedback feedback={feedback} onGoOn={() => onRead?.()} />
      ) : (
        <div className="forward">
          <button type="submit" className="go" disabled={!ready || busy}>
            {task.practice ? "Check" : "Next"}
          </button>
          <p className="key-hint">
            Keys <kbd>1</kbd>–<kbd>{choices.length}</kbd>, then <kbd>Enter</kbd>
          </p>
          {status}
        </div>
      )}
    </form>
  );
}

function questionFor(task: Task): string {
  if (task.kind === "preference") {
    return task.prediction === null
      ? "Which one explains the program’s answer better?"
      : `The program says ${task.prediction}. Which one explains that better?`;
  }
  return task.lines.length > 1
    ? "What did the program say, judging by each of these parts?"
    : "What did the program say, judging by this part?";
}
