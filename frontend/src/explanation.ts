/**
 * The words the interface uses for what the server says: short names for the types of the generated client, and the
 * few narrower ones that the pictures need. Pictures import from here, never from the generated files.
 */
import type { ExplanationDocument, JobDocument } from "./client";

export type { ExplanationRequest, JobDocument, LsTreeNode } from "./client";

/** A finished explanation, or what is known of one that is still being made (`result` may be a partial one). */
export type Explanation = ExplanationDocument;
export type Result = Explanation["result"];
export type MethodName = Result["method"];

/** The explanation whose result a certain method made: `ExplanationOf<"hedge" | "hedge-merge">`. */
export type ExplanationOf<M extends MethodName> = Omit<Explanation, "result"> & {
  result: Extract<Result, { method: M }>;
};

export type Word = Explanation["words"][number];
export type Player = Explanation["players"][number];
export type Scale = Explanation["scale"];
export type Reference = Explanation["reference"];
export type PlayerKind = Explanation["player_kind"];
export type JobStatus = JobDocument["status"];

/** The class an explanation is about. */
export function targetClass({ classes, target }: Pick<Explanation, "classes" | "target">): string {
  return classes[target] ?? "";
}
