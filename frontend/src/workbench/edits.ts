/** A sentence with one word dropped or replaced. */
import type { Word } from "../explanation";

/** Without the word, and without the gap it would leave. */
export function dropped(text: string, { start, end }: Pick<Word, "start" | "end">): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const gap = /\s$/.test(before) && (/^\s/.test(after) || /^[,.;:!?)]/.test(after) || after === "");
  const joined = gap ? before.trimEnd() + after : before + after;
  return before.trim() === "" ? joined.trimStart() : joined;
}

export function replaced(text: string, { start, end }: Pick<Word, "start" | "end">, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
