/** Explanations as jobs: ask, look, stop. Their events are read where they are followed (state/job.ts). */
import { askForExplanation, cancelExplanation, showExplanation } from "../client";
import type { ExplanationRequest, JobDocument } from "../explanation";
import { answerOf } from "./call";
import { ServiceProblem } from "./problem";

/** Seconds without a listener after which the server need not go on: time to find a lost network again. */
const LEASE = 120;

export function sendJob(request: ExplanationRequest): Promise<JobDocument> {
  return answerOf(askForExplanation({ body: request, query: { lease: LEASE } }));
}

export function readJob(identity: string): Promise<JobDocument> {
  return answerOf(showExplanation({ path: { identity } }));
}

/** Where a job's events come from. */
export function eventsOf(identity: string): string {
  return `/v1/explanations/${encodeURIComponent(identity)}/events`;
}

/** Asks the server to stop. Whether it hears that makes no difference to the page. */
export async function stopJob(identity: string): Promise<void> {
  // It may be over already; otherwise its lease ends soon.
  await cancelExplanation({ path: { identity } });
}

/** Whether an error is the server's answer, and not that it could not be reached or has no time just now. */
export function answered(error: unknown): boolean {
  return error instanceof ServiceProblem && ![0, 429, 502, 503, 504].includes(error.problem.status);
}
