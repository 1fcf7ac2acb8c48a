/** The five calls of an annotator's page. Plain fetch with a token in a header: no cookie that a frame could lose. */

import { Refused } from "./deliver";
import type { Answered, Joined, SessionDocument } from "./documents";
import type { Answers } from "./task";

export type Arrival = { study: string; parameters: Record<string, string>; name?: string; resume?: boolean };
export type Answer = { task: string; answers: Answers; milliseconds: number };

/** Another browser has begun under this name: it may be the same person, who then says so. */
export const ALREADY_HERE = "urn:espalier:problem:already-here";

export const join = (arrival: Arrival) => call<Joined>("POST", "/v1/sessions", null, arrival);

export const resume = (token: string) => call<SessionDocument>("GET", "/v1/session", token);

export const finishStage = (token: string, stage: "consent" | "instructions") =>
  call<SessionDocument>("POST", "/v1/session/stages", token, { stage });

export const sendAnswer = (token: string, answer: Answer) =>
  call<Answered>("POST", "/v1/session/answers", token, answer);

export const recordEnd = (token: string) => call<SessionDocument>("POST", "/v1/session/completion", token);

async function call<T>(
  method: "GET" | "POST",
  path: string,
  token: string | null,
  body?: object,
): Promise<T> {
  const headers = new Headers();
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  if (body) headers.set("Content-Type", "application/json");
  const response = await fetch(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    credentials: "omit",
    // An answer on its way when the page is left still arrives.
    keepalive: method === "POST",
    cache: "no-store",
  }).catch(() => {
    throw new Error("no connection");
  });
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => ({}));
  const detail = typeof problem.detail === "string" ? problem.detail : `status ${response.status}`;
  // Too many at once, or a server that is just starting again: worth another try. Everything else is an answer.
  const passing = response.status === 429 || response.status === 408 || response.status >= 500;
  throw passing ? new Error(detail) : new Refused(detail, response.status, String(problem.type ?? ""));
}
