import { useEffect, useState } from "react";
import { Button } from "../controls/Button";
import type { JobState } from "../state/job";

interface Props {
  state: JobState;
  onCancel(): void;
}

const count = new Intl.NumberFormat("en");

/** How far a job is: evaluated of expected, the time left, and a way to stop it. */
export function JobProgress({ state, onCancel }: Props) {
  const { progress } = state;
  const share = progress?.expected ? Math.min(1, progress.evaluated / progress.expected) : null;
  return (
    <div className="job-progress" role="status" aria-live="off">
      <progress
        aria-label="Evaluations done"
        max={1}
        {...(share !== null && { value: share })}
        data-evaluated={progress?.evaluated ?? 0}
      />
      <span className="job-words">
        {state.lost ? (
          "Connection lost. Trying again…"
        ) : progress && progress.evaluated > 0 ? (
          <>
            {count.format(progress.evaluated)}
            {progress.expected ? ` of ${count.format(progress.expected)}` : ""} evaluations
            <TimeLeft state={state} />
          </>
        ) : state.phase === "running" ? (
          "Starting…"
        ) : state.making ? (
          "Waiting for the model to be made ready…"
        ) : (
          "Waiting for its turn…"
        )}
      </span>
      <Button kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

/** Seconds left at the pace so far; nothing before there is a pace. */
export function secondsLeft(state: JobState, now: number): number | null {
  const { progress, began } = state;
  if (!progress?.expected || began === null) return null;
  const spent = (now - began) / 1000;
  if (spent < 0.5 || progress.evaluated === 0) return null;
  return Math.max(0, (progress.expected - progress.evaluated) * (spent / progress.evaluated));
}

function TimeLeft({ state }: { state: JobState }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const clock = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(clock);
  }, []);
  const left = secondsLeft(state, now);
  if (left === null) return null;
  return (
    <>
      {" "}
      ·{" "}
      {left < 1
        ? "nearly done"
        : left < 90
          ? `about ${Math.ceil(left)} s left`
          : `about ${Math.ceil(left / 60)} min left`}
    </>
  );
}
