import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import "./annotate.css";
import { Notice } from "./Notice";
import { SavingState } from "./SavingState";
import { Room, Screen } from "./Screen";
import { useSession } from "./useSession";

/** `/s/{study}`: a study as the people in it meet it, with nothing around. */
export default function AnnotatePage() {
  const { study } = useParams({ strict: false }) as { study: string };
  const [visit, steps] = useSession(study);
  const { session, claimed, refusal } = visit;
  const title = session?.study.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
  if (session !== null && claimed === null && refusal === null) {
    return (
      <div className="annotate">
        <Screen visit={{ ...visit, session }} steps={steps} />
      </div>
    );
  }
  return (
    <div className="annotate">
      <Room place={`${claimed} ${refusal}`}>
        {refusal !== null ? (
          <Notice
            title="That did not work."
            action={
              <button type="button" className="go" onClick={() => window.location.reload()}>
                Try again
              </button>
            }
          >
            {refusal}
          </Notice>
        ) : claimed !== null ? (
          <Notice
            title="Is that you?"
            action={
              <>
                <button type="button" className="go" onClick={() => steps.enter(claimed, true)}>
                  Yes, go on where I stopped
                </button>
                <button type="button" className="quiet" onClick={steps.rename}>
                  No, use another name
                </button>
              </>
            }
          >
            Somebody has already begun under the name “{claimed}”.
          </Notice>
        ) : (
          <div aria-busy="true">
            <h1 tabIndex={-1}>One moment…</h1>
            <SavingState saving={visit.saving} />
          </div>
        )}
      </Room>
    </div>
  );
}
