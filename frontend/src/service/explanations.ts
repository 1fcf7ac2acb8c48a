/** Explanations as jobs: ask, look, stop. Their events are read where they are followed (state/job.ts). */
import { askForExplanation, cancelExplanation, showExplanation } from "../client";
import type { ExplanationRequest, JobDocument } from "../explanation";
import { answerOf } from "./call";

/** Seconds without a listener after which the server need not go on: time to find a lost network again. */
const LEASE = 120;

export function sendJob(request: ExplanationRequest): Promise<JobDocument> {
  return answerOf(askForExplanation({ body: request, query: { lease: LEASE } }));
}

export function readJob(identity: string): Promise<JobDocument> {
  return answerOf(showExplanation({ path: { identity } }));
}

/** A job's events as they come: the browser's own stream, which tells every kind of event under its name. */
export function eventsOf(identity: string): EventSource {
  return new EventSource(`/v1/explanations/${encodeURIComponent(identity)}/events`);
}

/** Asks the server to stop. Whether it hears that makes no difference to the page. */
export async function stopJob(identity: string): Promise<void> {
  // It may be over already; otherwise its lease ends soon.
  await cancelExplanation({ path: { identity } });
}
