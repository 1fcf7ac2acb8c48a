import { type ReactNode, useState } from "react";
import { Button } from "../controls/Button";
import { CoherenceScreen } from "./CoherenceScreen";
import type { Feedback, TaskDocument } from "./documents";
import { PracticeFeedback } from "./PracticeFeedback";
import { PreferenceScreen } from "./PreferenceScreen";
import { type Answers, complete, nextQuestion, questionsOf } from "./task";
import { useKeys } from "./useKeys";

type Props = {
  task: TaskDocument;
  /** Called once all questions are answered and the person goes on, with the time since the task was first drawn. */
  onSubmit: (answers: Answers, milliseconds: number) => void;
  /** While an answer is on its way nothing can be changed. */
  busy: boolean;
  /** What a practice answer was worth; the task stays in sight until it is read. */
  feedback?: Feedback | null;
  onRead?: () => void;
  /** What stands beside the button: how saving goes. */
  status?: ReactNode;
};

/** One task, answered by pointer or by the number keys, and left with a button or Enter. */
export function TaskScreen({ task, onSubmit, busy, feedback = null, onRead, status }: Props) {
  const questions = questionsOf(task);
  const [answers, setAnswers] = useState<Answers>({});
  const [active, setActive] = useState(questions[0] ?? "choice");
  const [since] = useState(() => performance.now());
  const ready = complete(questions, answers);
  const locked = busy || feedback !== null;

  const answer = (question: string, value: string) => {
    if (locked) return;
    const written = { ...answers, [question]: value };
    setAnswers(written);
    setActive(nextQuestion(questions, written, question));
  };
  const goOn = () => {
    if (ready && !locked) onSubmit(answers, Math.round(performance.now() - since));
  };
  const step = (by: number) => setActive(questions[questions.indexOf(active) + by] ?? active);

  useKeys((key) => {
    if (locked) return false;
    const option = task.options[Number(key) - 1];
    if (option !== undefined) answer(active, option.value);
    else if (key === "ArrowUp") step(-1);
    else if (key === "ArrowDown") step(1);
    else if (key === "Enter") goOn();
    else return false;
    return true;
  });

  return (
    <form
      className="task"
      aria-busy={busy}
      data-task={task.id}
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
    >
      <h1 className="question" tabIndex={-1}>
        {questionFor(task)}
      </h1>
      {task.protocol === "coherence" ? (
        <CoherenceScreen {...task} answers={answers} active={locked ? null : active} onAnswer={answer} />
      ) : (
        <PreferenceScreen
          {...task}
          chosen={answers.choice ?? null}
          onChoose={locked ? null : (letter) => answer("choice", letter)}
        />
      )}
      {feedback ? (
        <PracticeFeedback feedback={feedback} options={task.options} onGoOn={() => onRead?.()} />
      ) : (
        <div className="forward">
          <Button type="submit" kind="strong" size="large" disabled={!ready || busy}>
            {task.kind === "practice" ? "Check" : "Next"}
          </Button>
          <p className="key-hint">
            Keys <kbd>1</kbd> to <kbd>{task.options.length}</kbd>, then <kbd>Enter</kbd>
          </p>
          {status}
        </div>
      )}
    </form>
  );
}

function questionFor(task: TaskDocument): string {
  if (task.protocol === "preference") {
    return task.prediction === null
      ? "Which one explains the program’s answer better?"
      : `The program’s answer is “${task.prediction}”. Which one explains it better?`;
  }
  return task.lines.length > 1
    ? "What did the program answer, judging by each of these parts?"
    : "What did the program answer, judging by this part?";
}
