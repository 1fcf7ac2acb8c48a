import type { ReactNode } from "react";
import { Button } from "../controls/Button";
import { type ExplanationRequest, MASKED_REFERENCE, USUAL_REFERENCE, writtenWord } from "../explanation";
import { type Prediction, usePrediction } from "../service/predictions";
import { problemOf } from "../service/problem";
import { useJob } from "../state/jobs";
import { outcomeOf, type Subject } from "../state/question";
import { dropped, replaced } from "./edits";
import { sentence } from "./ProblemNote";
import { percent, points } from "./percent";
import type { Edit } from "./WordStrip";

interface Props {
  subject: Subject;
  prediction: Prediction;
  target: string;
  nextWords: boolean;
  /** Whether `target` is a word for a blank in the text. */
  blank: boolean;
  edit: Edit;
  onExplain(text: string): void;
  onCompare(text: string): void;
  onUndo(): void;
}

/** The prediction before and after a word was changed, and what to do next. */
export function EditOutcome(props: Props) {
  return props.edit.kind === "mask" ? <Masked {...props} /> : <Rewritten {...props} />;
}

function Rewritten(props: Props) {
  const { subject, prediction, target, nextWords, blank, edit, onExplain, onCompare, onUndo } = props;
  const word = prediction.words[edit.index];
  const text = !word
    ? subject.text
    : edit.kind === "replace"
      ? replaced(subject.text, word, edit.by)
      : dropped(subject.text, word);
  const after = usePrediction(text.trim() === "" ? null : text, subject.model, nextWords ? [target] : []);
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
      target={nextWords ? `“${writtenWord(target, blank)}”` : target}
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
      <Button onClick={() => onCompare(text)}>Compare both</Button>
      <Button onClick={() => onExplain(text)}>Explain this sentence</Button>
    </Outcome>
  );
}

/**
 * A masked word is no other sentence: the model's own mask stands in its place, as in explanations. A model that says
 * next words mostly has none: there, the word is hidden.
 */
function Masked({ subject, prediction, target, nextWords, blank, edit, onUndo }: Props) {
  const hidden = nextWords && !blank;
  const request: ExplanationRequest = {
    text: subject.text,
    model: subject.model,
    method: "leave-one-out",
    ...outcomeOf({ target, rather: null }, nextWords),
    scale: "probability",
    reference: hidden ? USUAL_REFERENCE : MASKED_REFERENCE,
    players: "words",
  };
  const state = useJob(request)?.state;
  const reading = state?.settled ? state.explanation?.reading : undefined;
  const word = reading?.spans.find(({ start, end }) => start === edit.index && end === start + 1);
  const found = reading?.full != null && word ? reading.full - word.score : undefined;
  return (
    <Outcome
      what={
        <>
          with “<bdi>{prediction.words[edit.index]?.text}</bdi>” {hidden ? "hidden" : "masked"}
        </>
      }
      target={nextWords ? `“${writtenWord(target, blank)}”` : target}
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
      <Button kind="quiet" onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}

function shareOf(prediction: Prediction | undefined, name: string): number | undefined {
  return prediction?.classes.find((entry) => entry.name === name)?.probability;
}
