/** The five calls of an annotator's page, with a token in a header: no cookie that a frame could lose. */

import { answerTask, comeIn, completeSession, finishStage as endStage, showSession } from "../client";
import { answerOf } from "../service/call";
import type { Answers } from "./task";

export type Arrival = { study: string; parameters: Record<string, string>; name?: string; resume?: boolean };
export type Answer = { task: string; answers: Answers; milliseconds: number };

/** Another browser has begun under this name: it may be the same person, who then says so. */
export const ALREADY_HERE = "already-here";

const PRIVATE = { credentials: "omit", cache: "no-store" } as const;

/** An answer on its way when the page is left still arrives. */
const LASTING = { ...PRIVATE, keepalive: true } as const;

const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

export const join = (arrival: Arrival) => answerOf(comeIn({ body: arrival, ...LASTING }));

export const resume = (token: string) => answerOf(showSession({ ...bearing(token), ...PRIVATE }));

export const finishStage = (token: string, stage: "consent" | "instructions") =>
  answerOf(endStage({ body: { stage }, ...bearing(token), ...LASTING }));

export const sendAnswer = (token: string, answer: Answer) =>
  answerOf(answerTask({ body: answer, ...bearing(token), ...LASTING }));

export const recordEnd = (token: string) => answerOf(completeSession({ ...bearing(token), ...LASTING }));
