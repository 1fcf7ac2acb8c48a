import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf, refused } from "../service/problem";
import { ALREADY_HERE, type Answer, finishStage, join, recordEnd, resume, sendAnswer } from "./api";
import { deliver } from "./deliver";
import type { Feedback, SessionDocument, TaskDocument } from "./documents";
import type { Saving } from "./SavingState";
import type { Answers } from "./task";
import { forget, recall, remember, shelf, visitOf } from "./token";

export type Visit = {
  /** Null until the server has answered once. */
  session: SessionDocument | null;
  /** The task on the screen. Behind the session's own by one while the feedback of a practice task is read. */
  task: TaskDocument | null;
  feedback: Feedback | null;
  saving: Saving;
  busy: boolean;
  /** Somebody has begun under this name: is it the same person? */
  claimed: string | null;
  /** What the server refused, in its words. */
  refusal: string | null;
};

export type Steps = {
  enter: (name: string, again?: boolean) => void;
  finish: (stage: "consent" | "instructions") => void;
  answer: (task: TaskDocument, answers: Answers, milliseconds: number) => void;
  read: () => void;
  /** Asks the server where things stand. */
  look: () => void;
  /** It was somebody else: another name is asked for. */
  rename: () => void;
};

const BEGINNING: Visit = {
  session: null,
  task: null,
  feedback: null,
  saving: { state: "idle" },
  busy: true,
  claimed: null,
  refusal: null,
};

/**
 * One person's way through a study. The server's session document is the only truth: every call answers with it, so a
 * refresh, another tab or another device needs nothing but the token.
 */
export function useSession(study: string): [Visit, Steps] {
  const [visit, setVisit] = useState<Visit>(BEGINNING);
  const [place] = useState(() => visitOf(study, window.location.search));
  const token = useRef<string | null>(null);
  const working = useRef(false);

  const show = useCallback((session: SessionDocument) => {
    setVisit((before) => ({
      ...before,
      session,
      task: session.task,
      feedback: null,
      claimed: null,
      refusal: null,
    }));
  }, []);

  /** Everything that talks to the server goes through here, one at a time: a second click finds the door closed. */
  const work = useCallback(async (job: (tell: (saving: Saving) => void) => Promise<void>) => {
    if (working.current) return;
    working.current = true;
    setVisit((before) => ({ ...before, busy: true }));
    const tell = (saving: Saving) => setVisit((before) => ({ ...before, saving }));
    try {
      await job(tell);
    } catch (error) {
      const refusal = error instanceof Error ? error.message : String(error);
      setVisit((before) => ({ ...before, refusal }));
    } finally {
      working.current = false;
      setVisit((before) => ({ ...before, busy: false }));
    }
  }, []);

  const enter = useCallback(
    (name: string | null, again = false) =>
      work(async (tell) => {
        const parameters = Object.fromEntries(new URLSearchParams(window.location.search));
        const arrival = { study, parameters, ...(name !== null && { name }), ...(again && { resume: true }) };
        try {
          const joined = await deliver(() => join(arrival), quietly(tell));
          token.current = joined.token;
          if (joined.token !== null) remember(place, joined.token);
          show(joined.session);
        } catch (error) {
          if (problemOf(error).code !== ALREADY_HERE) throw error;
          setVisit((before) => ({ ...before, claimed: name ?? parameters.name ?? "" }));
        }
      }),
    [study, place, show, work],
  );

  const send = useCallback(
    async (key: string, answer: Answer, tell: (saving: Saving) => void) => {
      try {
        return (await deliver(() => sendAnswer(key, answer), tell)).session;
      } finally {
        shelf.set(pendingOf(place), null);
      }
    },
    [place],
  );

  const look = useCallback(
    () =>
      work(async (tell) => {
        const key = token.current;
        if (key !== null) show(await deliver(() => resume(key), quietly(tell)));
      }),
    [show, work],
  );

  // Arriving: with a token one goes on where one stopped, an answer that was on its way first; else one comes in anew.
  useEffect(() => {
    const known = recall(place);
    if (known === null) {
      enter(null);
      return;
    }
    token.current = known;
    work(async (tell) => {
      try {
        const unsent = shelf.get(pendingOf(place));
        // Should it be refused now, the session says what is to be done instead.
        if (unsent !== null) await send(known, JSON.parse(unsent), tell).catch(() => {});
        show(await deliver(() => resume(known), quietly(tell)));
        remember(place, known);
      } catch (error) {
        if (!refused(error)) throw error;
        forget(place);
        token.current = null;
      }
    }).then(() => {
      if (token.current === null) enter(null);
    });
  }, [place, enter, send, show, work]);

  // What another tab has answered meanwhile is not asked again here, nor after the back button.
  useEffect(() => {
    const returned = () => {
      if (document.visibilityState === "visible") look();
    };
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) look();
    };
    document.addEventListener("visibilitychange", returned);
    window.addEventListener("pageshow", restored);
    return () => {
      document.removeEventListener("visibilitychange", returned);
      window.removeEventListener("pageshow", restored);
    };
  }, [look]);

  // The end is told once; a page that is closed before that loses nothing, for all answers are kept already.
  const ended = visit.session?.stage === "finished";
  useEffect(() => {
    const key = token.current;
    if (ended && key !== null)
      deliver(
        () => recordEnd(key),
        () => {},
      ).catch(() => {});
  }, [ended]);

  return [
    visit,
    {
      enter,
      look,
      finish: (stage) =>
        work(async (tell) => {
          const key = token.current;
          if (key !== null) show(await deliver(() => finishStage(key, stage), quietly(tell)));
        }),
      answer: (task, answers, milliseconds) =>
        work(async (tell) => {
          const key = token.current;
          if (key === null) return;
          const answer = { task: task.id, answers, milliseconds };
          shelf.set(pendingOf(place), JSON.stringify(answer));
          const session = await send(key, answer, tell);
          if (session.feedback === null) show(session);
          else setVisit((before) => ({ ...before, session, feedback: session.feedback }));
        }),
      rename: () => setVisit((before) => ({ ...before, claimed: null })),
      read: () => setVisit((before) => ({ ...before, task: before.session?.task ?? null, feedback: null })),
    },
  ];
}

const pendingOf = (place: string) => `${place} unsent`;

/** Reading and page turning only speak up when something is wrong. */
const quietly = (tell: (saving: Saving) => void) => (saving: Saving) =>
  tell(saving.state === "retrying" ? saving : { state: "idle" });
