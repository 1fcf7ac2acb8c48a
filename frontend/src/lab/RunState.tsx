/** What every page of a run says of it, and lets its owner do. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../controls/Button";
import { Meter } from "../studies/Meter";
import { Problem } from "../studies/Problem";
import type { RunDocument } from "./documents";
import { duration, STATUS } from "./wording";

export function Status({ run }: { run: RunDocument }) {
  return <span className={`status ${run.status}`}>{STATUS[run.status]}</span>;
}

export function UnderWay({ run }: { run: RunDocument }) {
  if (run.status !== "running") return null;
  return (
    <section className="card" aria-label="Progress">
      <Meter label="Measured" done={run.done} total={run.total} unit="texts on models" />
      <p className="hint">
        {run.seconds_left === null ? "Beginning…" : `About ${duration(run.seconds_left)} left.`} It goes on
        when you leave this page, and after a restart. Everybody’s single questions come first.
      </p>
    </section>
  );
}

interface Deed {
  mutate(id: string): void;
  mutateAsync(id: string): Promise<unknown>;
  isPending: boolean;
  error: unknown;
}

export function Actions({ run, cancel, remove }: { run: RunDocument; cancel: Deed; remove: Deed }) {
  const [sure, setSure] = useState(false);
  const navigate = useNavigate();
  const destroy = async () => {
    await remove.mutateAsync(run.id);
    navigate({ to: "/lab" });
  };
  return (
    <div className="actions">
      {run.status === "running" && (
        <Button size="medium" onClick={() => cancel.mutate(run.id)} disabled={cancel.isPending}>
          Cancel
        </Button>
      )}
      <Button size="medium" onClick={() => (sure ? destroy() : setSure(true))} disabled={remove.isPending}>
        {sure ? "Really delete all of it" : "Delete"}
      </Button>
      <Problem error={cancel.error ?? remove.error} />
    </div>
  );
}

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="note said" aria-label="What to keep in mind">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}
