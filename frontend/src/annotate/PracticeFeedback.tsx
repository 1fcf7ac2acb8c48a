import { Button } from "../controls/Button";
import type { Feedback, Option } from "./documents";
import { useKeys } from "./useKeys";

type Props = { feedback: Feedback; options: Option[]; onGoOn: () => void };

/** After a practice answer: whether it is what most people say, and why. */
export function PracticeFeedback({ feedback, options, onGoOn }: Props) {
  useKeys((key) => {
    if (key !== "Enter") return false;
    onGoOn();
    return true;
  });
  const label = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  const expected = Object.entries(feedback.expected);
  return (
    <section className={feedback.correct ? "feedback right" : "feedback"} role="status">
      <h2>{feedback.correct ? "Yes, exactly." : "Not quite."}</h2>
      {!feedback.correct && expected.length > 0 && (
        <p>
          A good answer is{" "}
          {expected.map(([question, value], index) => (
            <span key={question}>
              {index > 0 && ", "}
              <strong>
                {expected.length > 1 && `${question} `}
                {label(value)}
              </strong>
            </span>
          ))}
          .
        </p>
      )}
      {feedback.why !== "" && <p>{feedback.why}</p>}
      <div className="forward">
        <Button kind="strong" size="large" onClick={onGoOn}>
          Continue
        </Button>
      </div>
    </section>
  );
}
