import type { ReactNode } from "react";
import { Button } from "../controls/Button";
import type { MethodEntry } from "../service/catalog";
import type { Question } from "../state/question";
import type { Ask } from "../state/useQuestion";
import { drawnBy, type RegisteredView } from "../views/registry";
import { DataTable } from "./DataTable";
import { JobProgress } from "./JobProgress";
import { Pane } from "./Pane";
import { ProblemNote } from "./ProblemNote";
import { Provenance } from "./Provenance";
import type { Side } from "./useSide";

/** What a card shows: the picture, the numbers, or what differs from the other side. */
export type Face = "picture" | "table" | "difference";

interface Props {
  side: Side;
  face: Face;
  domain: number;
  place: number;
  method: MethodEntry | undefined;
  onParameters(parameters: Record<string, unknown>): void;
  view: RegisteredView;
  question: Question;
  onAsk: Ask;
}

/** One side of a card, in whatever state its job is. */
export function SideBody({
  side,
  view,
  face,
  domain,
  place,
  method,
  question,
  onAsk,
  onParameters,
}: Props): ReactNode {
  const { state, explanation, stale } = side;
  if (state.problem)
    return (
      <ProblemNote {...{ view: view.name, question, onAsk }} problem={state.problem} onAgain={side.again} />
    );
  const over = ["succeeded", "cancelled"].includes(state.phase);
  return (
    <>
      {explanation ? (
        <>
          {face === "table" ? (
            <DataTable
              caption={`Numbers of ${view.title}`}
              table={drawnBy(view, explanation).table(explanation)}
            />
          ) : (
            <Pane {...{ view, explanation, method, domain, place, stale, onParameters }} />
          )}
          {state.phase === "succeeded" && <Provenance explanation={explanation} partial={!state.settled} />}
        </>
      ) : (
        !over && <div className="placeholder" aria-hidden="true" />
      )}
      {state.phase === "cancelled" && (
        <p className="provenance">
          Cancelled{explanation ? ": this is how far it came" : ""}.{" "}
          <Button kind="link" onClick={side.again}>
            Start again
          </Button>
        </p>
      )}
      {!over && <JobProgress state={state} onCancel={side.cancel} />}
    </>
  );
}
