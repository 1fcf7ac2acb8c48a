import { Choices } from "./Choices";
import type { Answers, CoherenceTask } from "./task";

type Props = {
  task: Pick<CoherenceTask, "text" | "lines" | "choices">;
  answers: Answers;
  /** The line that the number keys answer; null where nothing can be answered, as in the worked example. */
  active: number | null;
  onAnswer: (line: number, choice: string) => void;
};

/** The text, then one line for each phrase, each with the classes to guess from. */
export function CoherenceScreen({ task, answers, active, onAnswer }: Props) {
  const several = task.lines.length > 1;
  return (
    <>
      <blockquote className="passage">{task.text}</blockquote>
      <ol className="lines">
        {task.lines.map((line, index) => (
          <li key={line.letter} className={several && active === index ? "line active" : "line"}>
            <p className="phrase-line">
              {several && <span className="letter">{line.letter}</span>}
              <q className="shown-phrase">{line.phrase}</q>
            </p>
            <Choices
              question={`What did the program say, judging by ${line.letter}: “${line.phrase}”?`}
              choices={task.choices}
              chosen={answers[index] ?? null}
              onChoose={(choice) => onAnswer(index, choice)}
              keys={active === index}
              disabled={active === null}
            />
          </li>
        ))}
      </ol>
    </>
  );
}
