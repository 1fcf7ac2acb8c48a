import { useParams } from "@tanstack/react-router";
import { Button } from "../controls/Button";
import { useTitle } from "../shell/useTitle";
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
  useTitle(session?.study.title ?? "Study", null);
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
              <Button kind="strong" size="large" onClick={() => window.location.reload()}>
                Try again
              </Button>
            }
          >
            {refusal}
          </Notice>
        ) : claimed !== null ? (
          <Notice
            title="Is that you?"
            action={
              <>
                <Button kind="strong" size="large" onClick={() => steps.enter(claimed, true)}>
                  Yes, go on where I stopped
                </Button>
                <Button size="large" onClick={steps.rename}>
                  No, use another name
                </Button>
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
