/**
 * The words the interface uses for what the server says: short names for the types of the generated client, and the
 * few narrower ones that the pictures need. Pictures import from here, never from the generated files.
 */
import type { ExplanationDocument } from "./client";

export type { ExplanationRequest, JobDocument, LsTreeNode, PairScore, SpanScore } from "./client";

/** A finished explanation, or what is known of one that is still being made (`result` may be a partial one). */
export type Explanation = ExplanationDocument;
export type Result = Explanation["result"];
/** The house's own methods: a result of another package's has a form that nobody here knows, and a reading. */
export type MethodName = Extract<Result, { method: string }>["method"];

/** The explanation whose result a certain method made: `ExplanationOf<"hedge" | "hedge-merge">`. */
export type ExplanationOf<M extends MethodName> = Omit<Explanation, "result"> & {
  result: Extract<Result, { method: M }>;
};

export type Word = Explanation["words"][number];
export type Scale = Explanation["scale"];
export type Reference = Explanation["reference"];
/** What stands in for absent words where nobody chooses: addresses and files' names leave it out. */
export const USUAL_REFERENCE: Reference = "pad";
/** The reference under which an absent word is the model's own mask. */
export const MASKED_REFERENCE: Reference = "mask";
export type Fill = NonNullable<Explanation["fill"]>;
export type PlayerKind = Explanation["player_kind"];

/**
 * The standard error of a number: what comes from sampled coalitions, and what comes from the reference's draws. The two
 * are independent, so their squares add up. None where neither is known.
 */
export function wholeError({
  error,
  draw_error: drawn = null,
}: {
  error: number | null;
  draw_error?: number | null;
}): number | null {
  return error === null || drawn === null ? (error ?? drawn) : Math.hypot(error, drawn);
}

type Target = Pick<Explanation, "classes" | "target"> &
  Partial<Pick<Explanation, "against" | "pieces" | "text">>;

/** What an explanation is about: a class, or a next word, perhaps rather than another. */
export function targetClass({ classes, target, against = null, pieces = null, text = "" }: Target): string {
  const name = classes[target] ?? "";
  if (pieces === null) return name;
  const other = against === null ? undefined : classes[against];
  // Words for a blank are written without the space that next words go on with.
  const blank = BLANK.test(text) && !classes.some((each) => each.startsWith(" "));
  const rather = other === undefined ? "" : ` rather than “${writtenWord(other, blank)}”`;
  return `“${writtenWord(name, blank)}”${rather}`;
}

/** How the place of a word that is to be filled in is written. */
const BLANK = /\[MASK\]|<mask>|_{3,}/i;

export function hasBlank(text: string): boolean {
  return BLANK.test(text);
}

/**
 * A next word as it is read: without the space that it goes on with, and with what cannot be seen made visible. One that
 * goes on without a space is the rest of a word, unless it fills in a blank.
 */
export function writtenWord(word: string, blank = false): string {
  const seen = word.trim();
  if (seen === "") return word.includes("\n") ? "↵" : "␣";
  return /^[\p{L}\p{N}]/u.test(word) && !blank ? `-${seen}` : seen;
}
