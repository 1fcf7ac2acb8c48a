import { useKeys } from "./useKeys";

export type PracticeFeedback = { correct: boolean; expected: string[]; why: string };

type Props = { feedback: PracticeFeedback; onGoOn: () => void };

/** After a practice answer: whether it is what most people say, and why. */
export function Feedback({ feedback, onGoOn }: Props) {
  useKeys((key) => {
    if (key !== "Enter") return false;
    onGoOn();
    return true;
  });
  return (
    <section className={feedback.correct ? "feedback right" : "feedback wrong"} aria-live="polite">
      <h2>{feedback.correct ? "Yes, exactly." : "Not quite."}</h2>
      {!feedback.correct && (
        <p>
          A good answer is <strong>{feedback.expected.join(", then ")}</strong>.
        </p>
      )}
      {feedback.why !== "" && <p>{feedback.why}</p>}
      <div className="forward">
        <button type="button" className="go" onClick={onGoOn}>
          Continue
        </button>
      </div>
    </section>
  );
}
