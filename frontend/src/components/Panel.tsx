import type { ReactNode } from "react";
import type { Answer } from "../answer";

type Props<T> = { title: string; answer: Answer<T>; children: (value: T) => ReactNode };

/** A card that shows an answer, that it is on its way, or what was wrong. */
export function Panel<T>({ title, answer, children }: Props<T>) {
  return (
    <section className="card" aria-label={title} aria-busy={answer.state === "waiting"}>
      <h2>{title}</h2>
      {answer.state === "waiting" && <p className="hint">Working…</p>}
      {answer.state === "failed" && (
        <p className="problem" role="alert">
          {answer.problem}
        </p>
      )}
      {answer.state === "here" && children(answer.value)}
    </section>
  );
}
