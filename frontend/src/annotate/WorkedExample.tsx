import { CoherenceScreen } from "./CoherenceScreen";
import { PreferenceScreen } from "./PreferenceScreen";
import type { Task } from "./task";

export type Example = { task: Task; answers: string[]; why: string };

/** A task already answered, with the reason: read, not pressed. */
export function WorkedExample({ example }: { example: Example }) {
  const { task, answers, why } = example;
  return (
    <figure className="example">
      <figcaption>Example</figcaption>
      {task.kind === "coherence" ? (
        <CoherenceScreen task={task} answers={answers} active={null} onAnswer={() => {}} />
      ) : (
        <PreferenceScreen task={task} chosen={answers[0] ?? null} onChoose={null} />
      )}
      <p className="why">{why}</p>
    </figure>
  );
}
