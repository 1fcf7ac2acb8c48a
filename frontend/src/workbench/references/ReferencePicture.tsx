import { useEffect } from "react";
import { Button } from "../../controls/Button";
import type { Explanation, Reference } from "../../explanation";
import type { MethodEntry } from "../../service/catalog";
import { type Question, under } from "../../state/question";
import { promptOf } from "../../state/words";
import type { RegisteredView } from "../../views/registry";
import { JobProgress } from "../JobProgress";
import { Pane } from "../Pane";
import { useSide } from "../useSide";
import { agreement } from "./kendall";
import { StoodIn } from "./StoodIn";
import { tau } from "./tau";

interface Props {
  question: Question;
  reference: Reference;
  description: string;
  view: RegisteredView;
  words: boolean;
  domain: number;
  place: number;
  method: MethodEntry | undefined;
  /** Words that are out, to see what stands in for them. */
  absent: readonly number[];
  /** The explanation under the reference that was chosen for all views, to which this one is held. */
  usual: Explanation | undefined;
  onFound(name: string, explanation: Explanation): void;
  onBeside(): void;
}

const nothing = () => {};

/** The prediction under one reference. */
export function ReferencePicture(props: Props) {
  const { question, reference, description, view, words, domain, place, method, absent } = props;
  const { usual, onFound, onBeside } = props;
  const drawn = under(question, reference);
  const side = useSide(drawn, view.name, words, method && [method]);
  const explanation = side?.explanation ?? null;
  useEffect(() => {
    if (explanation) onFound(reference, explanation);
  }, [explanation, onFound, reference]);
  if (!side) return null;
  const { state, stale } = side;
  const chosen = reference === question.reference;
  const over = ["succeeded", "cancelled", "failed"].includes(state.phase);
  return (
    <li data-reference={reference} aria-busy={!over}>
      <h3>{reference}</h3>
      <p className="hint">{description}</p>
      {!state.problem && <StoodIn text={promptOf(question)} {...{ drawn, absent }} />}
      {state.problem && <p className="not-here">Not here: {state.problem.detail}.</p>}
      {explanation && !state.problem && (
        <>
          <p className="agrees">
            {chosen ? (
              "chosen for all views"
            ) : (
              <>
                ranks words as {question.reference} does: τ{" "}
                <strong>{usual ? tau(agreement(usual, explanation)) : "…"}</strong>{" "}
                <Button kind="link" onClick={onBeside}>
                  beside {question.reference}
                </Button>
              </>
            )}
          </p>
          <Pane {...{ view, explanation, method, domain, place, stale }} onParameters={nothing} />
        </>
      )}
      {!over && <JobProgress state={state} onCancel={side.cancel} />}
    </li>
  );
}
