import type { Against, Subject } from "../state/question";

/** What the two sides of a comparison are called: by what tells them apart. */
export function sideNames(subject: Subject, against: Against): [string, string] {
  if (against.model !== undefined) return [subject.model, against.model];
  if (against.text !== undefined) return [subject.text, against.text];
  // A next word has the space that it goes on with.
  if (against.target !== undefined) return [(subject.target ?? "").trim(), (against.target ?? "").trim()];
  if (against.reference !== undefined)
    return [`absent: ${subject.reference}`, `absent: ${against.reference}`];
  const view = Object.keys(against.methods ?? {})[0] as keyof Subject["methods"] | undefined;
  return view ? [subject.methods[view], against.methods?.[view] ?? ""] : ["A", "B"];
}
