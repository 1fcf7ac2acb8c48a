/** Cutting a text into plain pieces and highlighted runs of neighbouring words. */

import type { Group, WordShown } from "./documents";

export type Run = { text: string; weight: number; first: number; last: number; joined: boolean };
export type Piece = string | Run;

/** Weights this near to zero stay plain: a tint that nobody can see only makes the text restless. */
const FAINTEST = 0.04;

/**
 * The text's pieces in order. Neighbouring words of one group are one run; `joined` says that the run belongs to a
 * group of several words, also where words between them are not part of it.
 */
export function runs(text: string, words: WordShown[], groups: Group[]): Piece[] {
  const groupOf = new Map<number, Group>();
  for (const group of groups) {
    if (Math.abs(group.weight) >= FAINTEST) for (const word of group.words) groupOf.set(word, group);
  }
  const pieces: Piece[] = [];
  let written = 0;
  for (let first = 0; first < words.length; first++) {
    const group = groupOf.get(first);
    if (!group) continue;
    let last = first;
    while (last + 1 < words.length && groupOf.get(last + 1) === group) last++;
    const from = words[first]?.start ?? written;
    const to = words[last]?.end ?? from;
    if (from > written) pieces.push(text.slice(written, from));
    pieces.push({
      text: text.slice(from, to),
      weight: group.weight,
      first,
      last,
      joined: group.words.length > 1,
    });
    written = to;
    first = last;
  }
  if (written < text.length) pieces.push(text.slice(written));
  return pieces;
}
