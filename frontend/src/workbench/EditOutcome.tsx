import type { ReactNode } from "react";
import type { ExplanationRequest } from "../explanation";
import { type Prediction, usePrediction } from "../service/predictions";
import { problemOf } from "../service/problem";
import { useJob } from "../state/jobs";
import type { Subject } from "../state/question";
import { dropped, replaced } from "./edits";
import { sentence } from "./ProblemNote";
import { percent, points } from "./percent";
import type { Edit } from "./WordStrip";

interface Props {
  subject: Subject;
  prediction: Prediction;
  target: string;
  edit: Edit;
  onExplain(text: string): void;
  onCompare(text: string): void;
  onUndo(): void;
}

/** The prediction before and after a word was changed, and what to do next. */
export function EditOutcome(props: Props) {
  return props.edit.kind === "mask" ? <Masked {...props} /> : <Rewritten {...props} />;
}

function Rewritten({ subject, prediction, target, edit, onExplain, onCompare, onUndo }: Props) {
  const word = prediction.words[edit.index];
  const text = !word
    ? subject.text
    : edit.kind === "replace"
      ? replaced(subject.text, word, edit.by)
      : dropped(subject.text, word);
  const after = usePrediction(text.trim() === "" ? null : text, subject.model);
  const probability = after.isPlaceholderData ? undefined : shareOf(after.data, target);
  return (
    <Outcome
      what={
        edit.kind === "replace" ? (
          <>
            “<bdi>{word?.text}</bdi>” replaced by “<bdi>{edit.by}</bdi>”
          </>
        ) : (
          <>
            without “<bdi>{word?.text}</bdi>”
          </>
        )
      }
      target={target}
      before={shareOf(prediction, target)}
      after={probability}
      problem={
        text.trim() === ""
          ? "Nothing is left of the sentence."
          : after.error
            ? sentence(problemOf(after.error).detail)
            : null
      }
      onUndo={onUndo}
    >
      <button type="button" className="chip-button" onClick={() => onCompare(text)}>
        Compare both
      </button>
      <button type="button" className="chip-button" onClick={() => onExplain(text)}>
        Explain this sentence
      </button>
    </Outcome>
  );
}

/** A masked word is no other sentence: the model's own mask stands in its place, as in explanations. */
function Masked({ subject, prediction, target, edit, onUndo }: Props) {
  const request: ExplanationRequest = {
    text: subject.text,
    model: subject.model,
    method: "leave-one-out",
    target,
    scale: "probability",
    reference: "mask",
    players: "words",
  };
  const state = useJob(request)?.state;
  const result = state?.settled ? state.explanation?.result : undefined;
  const found =
    result && "values" in result && "full" in result
      ? result.full - (result.values[edit.index] ?? 0)
      : undefined;
  return (
    <Outcome
      what={
        <>
          with “<bdi>{prediction.words[edit.index]?.text}</bdi>” masked
        </>
      }
      target={target}
      before={shareOf(prediction, target)}
      after={found}
      problem={state?.problem ? sentence(state.problem.detail) : null}
      onUndo={onUndo}
    />
  );
}

interface OutcomeProps {
  what: ReactNode;
  target: string;
  before: number | undefined;
  after: number | undefined;
  problem: string | null;
  onUndo(): void;
  children?: ReactNode;
}

function Outcome({ what, target, before, after, problem, onUndo, children }: OutcomeProps) {
  const change = before !== undefined && after !== undefined ? after - before : null;
  return (
    <div className="outcome" role="status">
      <p>
        {what}:{" "}
        {problem ??
          (after === undefined || change === null ? (
            "asking the model…"
          ) : (
            <>
              {target} <span className="before">{percent(before ?? 0)}</span> →{" "}
              <strong data-after={after}>{percent(after)}</strong>{" "}
              <span className="change" data-sign={Math.sign(change)}>
                {points(change)}
              </span>
            </>
          ))}
      </p>
      <span className="spring" />
      {change !== null && !problem && children}
      <button type="button" className="quiet-button" onClick={onUndo}>
        Undo
      </button>
    </div>
  );
}

function shareOf(prediction: Prediction | undefined, name: string): number | undefined {
  return prediction?.classes.find((entry) => entry.name === name)?.probability;
}
