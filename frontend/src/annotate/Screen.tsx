import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../controls/Button";
import { Consent } from "./Consent";
import type { SessionDocument } from "./documents";
import { Instructions } from "./Instructions";
import { Notice } from "./Notice";
import { Progress } from "./Progress";
import { SavingState } from "./SavingState";
import { TaskScreen } from "./TaskScreen";
import { Thanks } from "./Thanks";
import type { Steps, Visit } from "./useSession";
import { Welcome } from "./Welcome";

type Props = {
  visit: Visit & { session: SessionDocument };
  steps: Steps;
  /** Part of another page, which has its own main content. */
  embedded?: boolean;
};

/** What one person sees at this moment: a pure picture of the visit, also used for the owner's preview. */
export function Screen({ visit, steps, embedded = false }: Props) {
  const { session, task, feedback, busy } = visit;
  const working = session.stage === "practice" || session.stage === "tasks" || feedback !== null;
  const place = working && task ? task.id : session.stage;
  return (
    <>
      {session.study.simulated && (
        <p className="rehearsal">Rehearsal: these answers are marked as simulated.</p>
      )}
      <header className="top">
        {session.study.simulated && (
          <p className="rehearsal">Rehearsal: these answers are marked as simulated.</p>
        )}
        {working && task && (
          <Progress done={task.number - 1} total={task.of} practice={task.kind === "practice"} />
        )}
      </header>
      <Room place={place} embedded={embedded}>
        {working && task ? (
          <TaskScreen
            key={task.id}
            task={task}
            busy={busy}
            feedback={feedback}
            onRead={steps.read}
            onSubmit={(answers, milliseconds) => steps.answer(task, answers, milliseconds)}
            status={<SavingState saving={visit.saving} />}
          />
        ) : (
          <Reading visit={visit} steps={steps} />
        )}
      </Room>
    </>
  );
}

/** Every stage that is read and not answered. */
function Reading({ visit, steps }: Props) {
  const { session, busy } = visit;
  const { study } = session;
  switch (session.stage) {
    case "preview":
      return <Instructions study={study} busy={busy} onStart={null} />;
    case "name":
      return <Welcome title={study.title} busy={busy} onEnter={(name) => steps.enter(name)} />;
    case "consent":
      return (
        <Consent
          title={study.title}
          text={study.consent}
          busy={busy}
          onAgree={() => steps.finish("consent")}
        />
      );
    case "instructions":
      return <Instructions study={study} busy={busy} onStart={() => steps.finish("instructions")} />;
    case "finished":
      return <Thanks text={study.thanks} completion={session.completion} />;
    case "full":
      return (
        <Notice title="Everybody we need is here.">
          All tasks of this study are taken. Thank you for coming.
        </Notice>
      );
    case "paused":
      return (
        <Notice
          title="The study is taking a break."
          action={
            <Button kind="strong" size="large" disabled={busy} onClick={steps.look}>
              Look again
            </Button>
          }
        >
          What you have answered is kept. Come back with the same link to go on.
        </Notice>
      );
    default:
      return (
        <Notice title="This study is closed.">It takes no more answers. Thank you for your interest.</Notice>
      );
  }
}

/** The column everything stands in. A new screen begins at its heading, for eyes and for screen readers. */
export function Room({ place, embedded = false, children }: RoomProps) {
  const room = useRef<HTMLElement>(null);
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    room.current?.querySelector("h1")?.focus({ preventScroll: true });
    room.current?.closest(".annotate")?.scrollIntoView?.({ block: "start" });
  }, [place]);
  const Column = embedded ? "section" : "main";
  return (
    <Column className="room" ref={room}>
      {children}
    </Column>
  );
}

type RoomProps = { place: string; embedded?: boolean; children: ReactNode };
