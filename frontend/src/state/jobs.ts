/**
 * All explanations of this page. The same request is the same job, wherever it is shown; what nobody looks at any more
 * is stopped.
 */
import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import type { ExplanationRequest } from "../explanation";
import { Job, type JobState } from "./job";

/** A browser keeps six connections to one server; a stream of events takes one, and other calls need room. */
const MOST_STREAMS = 4;
const MOST_KEPT = 80;
/** Milliseconds: a picture may be taken down and put up again at once, as when the layout changes. */
const PATIENCE = 300;

export class Jobs {
  #jobs = new Map<string, Job>();
  #waiting: Job[] = [];
  #streams = 0;

  job(request: ExplanationRequest): Job {
    const key = JSON.stringify(request);
    let job = this.#jobs.get(key);
    if (!job) {
      job = new Job(request);
      this.#waiting.push(job);
    } else this.#jobs.delete(key);
    // The last one used stands last; the first ones are forgotten first.
    this.#jobs.set(key, job);
    this.#forget();
    return job;
  }

  watch(job: Job, listener: () => void): () => void {
    const unsubscribe = job.subscribe(listener);
    queueMicrotask(() => this.#run());
    return () => {
      unsubscribe();
      setTimeout(() => {
        if (!job.watched && !job.over) this.drop(job);
      }, PATIENCE);
    };
  }

  /** Stop a job and forget it: asked for again, it starts anew. */
  drop(job: Job): void {
    this.#jobs.delete(JSON.stringify(job.request));
    this.#waiting = this.#waiting.filter((other) => other !== job);
    job.cancel();
  }

  #run(): void {
    while (this.#streams < MOST_STREAMS) {
      const job = this.#waiting.find((candidate) => candidate.watched && !candidate.over);
      if (!job) return;
      this.#waiting = this.#waiting.filter((other) => other !== job);
      this.#streams++;
      void job.start();
      void job.end.then(() => {
        this.#streams--;
        this.#run();
      });
    }
  }

  #forget(): void {
    for (const [key, job] of this.#jobs) {
      if (this.#jobs.size <= MOST_KEPT) return;
      if (job.over && !job.watched) this.#jobs.delete(key);
    }
  }
}

export const jobs = new Jobs();

export interface Followed {
  state: JobState;
  cancel(): void;
  /** Ask anew, after a failure or a cancellation. */
  again(): void;
}

const silent = () => () => {};

/** Follow the job of a request for as long as the component is shown; without a request, nothing. */
export function useJob(request: ExplanationRequest | null): Followed | null {
  const [attempt, setAttempt] = useState(0);
  const key = request && JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new job, though its request is the same
  const job = useMemo(() => (key === null ? null : jobs.job(JSON.parse(key))), [key, attempt]);
  const subscribe = useCallback(
    (listener: () => void) => (job ? jobs.watch(job, listener) : silent()),
    [job],
  );
  const state = useSyncExternalStore(subscribe, () => job?.state ?? null);
  return useMemo(
    () =>
      job && state
        ? {
            state,
            cancel: () => job.cancel(),
            again: () => {
              jobs.drop(job);
              setAttempt((before) => before + 1);
            },
          }
        : null,
    [job, state],
  );
}
