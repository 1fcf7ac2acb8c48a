/**
 * One explanation in the making: asked for, followed through its events, cancelled, taken up again after the network
 * was lost. It knows nothing of React; who wants to see it subscribes.
 */
import type { PartialEvent, PreparedDocument, ProgressDocument, StatusEvent } from "../client";
import type { Explanation, ExplanationRequest, JobDocument } from "../explanation";
import { eventsOf, readJob, sendJob, stopJob } from "../service/explanations";
import { answered, type Making, type ProblemText, problemOf } from "../service/problem";

export type Phase = "waiting" | "queued" | "running" | "succeeded" | "failed" | "cancelled";

export interface JobState {
  phase: Phase;
  progress: ProgressDocument | null;
  /** How far the model is, where the job waits for it to be made ready. */
  making: Making | null;
  /** What there is to draw: the finished explanation, or the newest partial one. */
  explanation: Explanation | null;
  /** Whether `explanation` is the last word. */
  settled: boolean;
  problem: ProblemText | null;
  /** Whether the events stopped coming because the server cannot be reached. */
  lost: boolean;
  /** Milliseconds of `performance.now()`: when the first progress came, for the time left. */
  began: number | null;
}

const NOTHING: JobState = {
  phase: "waiting",
  progress: null,
  making: null,
  explanation: null,
  settled: false,
  problem: null,
  lost: false,
  began: null,
};

/** What stands in until a method has ended: a partial picture has no final count yet. */
const UNCOUNTED = {
  evaluations: { asked: 0, distinct: 0, reused: 0 },
  seconds: { model: 0, total: 0 },
  provenance: "not final yet",
};

const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;

export class Job {
  state: JobState = NOTHING;
  #listeners = new Set<() => void>();
  #prepared: PreparedDocument | null = null;
  #id: string | null = null;
  #events: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = FIRST_RETRY;
  #ended: () => void = () => {};
  #wanted = true;

  /** Settles when nothing more will happen: finished, failed, cancelled. */
  readonly end: Promise<void>;

  constructor(readonly request: ExplanationRequest) {
    this.end = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  get over(): boolean {
    return ["succeeded", "failed", "cancelled"].includes(this.state.phase);
  }

  /** Ask for it, and follow it to its end. A server that does not answer is asked again until it does. */
  async start(): Promise<void> {
    if (this.over) return;
    window.addEventListener("online", this.#again);
    let sent: JobDocument;
    try {
      sent = await sendJob(this.request);
    } catch (error) {
      if (!this.#wanted) return;
      if (answered(error)) this.#finish({ phase: "failed", problem: problemOf(error) });
      else this.#later(() => this.start());
      return;
    }
    this.#id = sent.id;
    if (!this.#wanted) void stopJob(sent.id);
    else if (isOver(sent)) this.#conclude(sent);
    else {
      this.#set({ phase: sent.status, lost: false });
      this.#listen();
    }
  }

  /** Stop working on it. What was drawn so far stays. */
  cancel(): void {
    if (this.over) return;
    this.#wanted = false;
    // The stream goes first: a browser keeps few connections to one server, and all may be streams.
    this.#close();
    if (this.#id) void stopJob(this.#id);
    this.#finish({ phase: "cancelled" });
  }

  #listen(): void {
    this.#close();
    const events = eventsOf(this.#id ?? "");
    this.#events = events;
    const on = <T>(name: string, take: (data: T) => void) =>
      events.addEventListener(name, (event) => {
        this.#pause = FIRST_RETRY;
        if (this.state.lost) this.#set({ lost: false });
        take(JSON.parse((event as MessageEvent<string>).data) as T);
      });
    on<StatusEvent>("status", ({ status, making }) => {
      if (status === "queued" || status === "running") this.#set({ phase: status, making: making ?? null });
    });
    on<PreparedDocument>("prepared", (prepared) => {
      this.#prepared = prepared;
    });
    on<ProgressDocument>("progress", (progress) =>
      this.#set({ progress, phase: "running", began: this.state.began ?? performance.now() }),
    );
    on<PartialEvent>("partial", (partial) => {
      if (this.#prepared)
        this.#set({ explanation: { ...this.#prepared, ...UNCOUNTED, ...partial } as Explanation });
    });
    on<JobDocument>("finished", (job) => this.#conclude(job));
    // The browser would try again by itself, but not after every kind of failure, and not when the network is back.
    events.addEventListener("error", () => {
      if (this.#events !== events) return;
      this.#close();
      this.#later(() => this.#resume());
    });
  }

  /** After a loss: what became of the job meanwhile, and then its further events. */
  async #resume(): Promise<void> {
    if (!this.#id || this.over) return;
    try {
      const job = await readJob(this.#id);
      if (isOver(job)) this.#conclude(job);
      else this.#listen();
    } catch (error) {
      if (!answered(error)) this.#later(() => this.#resume());
      // A server that was set up anew does not know the job: it is asked for again, and gives the same numbers.
      else void this.start();
    }
  }

  #next: (() => Promise<void>) | null = null;

  #later(next: () => Promise<void>): void {
    this.#next = next;
    this.#set({ lost: true });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#again, this.#pause);
    this.#pause = Math.min(LONGEST_RETRY, this.#pause * 2);
  }

  #again = (): void => {
    clearTimeout(this.#retry);
    const next = this.#next;
    this.#next = null;
    if (next && this.#wanted) void next();
  };

  #conclude(job: JobDocument): void {
    this.#finish({
      phase: job.status as Phase,
      progress: job.progress,
      explanation: job.explanation ?? this.state.explanation,
      settled: job.explanation !== null,
      problem: job.problem ? problemOf(job.problem) : null,
    });
  }

  #finish(state: Partial<JobState>): void {
    this.#close();
    clearTimeout(this.#retry);
    window.removeEventListener("online", this.#again);
    this.#set({ ...state, lost: false });
    this.#ended();
  }

  #close(): void {
    this.#events?.close();
    this.#events = null;
  }

  #set(change: Partial<JobState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function isOver({ status }: { status: string }): boolean {
  return status !== "queued" && status !== "running";
}
