/** Words are the common coordinate of all pictures: what players and spans are called, and which words they cover. */

import appearance from "../appearance";
import type { Explanation } from "../explanation";
import { type Span, wordsOf } from "../spans";

/** As much of an explanation as it takes to name its pieces. */
export type Worded = Pick<Explanation, "text" | "pair" | "player_kind" | "words" | "players">;

/** What one player of each kind is called. */
export const KINDS: Record<string, string> = appearance.players;

/** On one line, without what would turn the writing direction of everything after it. */
export function printable(text: string): string {
  return Array.from(text.split(/\s+/u).join(" ").trim(), visible).join("");
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return "";
  const unwritable = (code >= 0x80 && code < 0xa0) || (code >= 0xd800 && code < 0xe000);
  return unwritable || (code & 0xfffe) === 0xfffe ? "\ufffd" : character;
}

const named = new WeakMap<object, string[]>();

/** Characters of a sentence or a phrase that is called by its words. */
const LONGEST_NAME = 40;

/** What each player is called. Asked for by every mark, so worked out once for an explanation's players. */
export function playerNames({ players, player_kind }: Worded): string[] {
  let names = named.get(players);
  if (names === undefined) {
    const whole = ["words", "tokens"].includes(player_kind);
    names = players.map(({ text }) => {
      const name = printable(text) || "·";
      return whole ? name : shortened(name, LONGEST_NAME);
    });
    named.set(players, names);
  }
  return names;
}

/** Players from `start` up to `end`, as the text has them. */
export function phraseOf(explanation: Worded, start: number, end: number): string {
  if (explanation.pair != null || explanation.player_kind === "tokens")
    return playerNames(explanation).slice(start, end).join(" ");
  return textOf(explanation, wordsOf(explanation, start, end));
}

/** Words as the text has them; words of a pair stand in two texts, so they are joined. */
export function textOf(explanation: Worded, [start, end]: Span): string {
  const words = explanation.words.slice(start, end);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return "";
  if (explanation.pair != null) return words.map((word) => printable(word.text)).join(" ");
  // Offsets count characters as Python does, which has no surrogates.
  return printable(characters(explanation.text).slice(first.start, last.end).join(""));
}

let split: { text: string; characters: string[] } = { text: "", characters: [] };

function characters(text: string): string[] {
  if (split.text !== text) split = { text, characters: Array.from(text) };
  return split.characters;
}

const LONGEST_QUOTE = appearance.thresholds.longest_quote;

export function quoted(text: string): string {
  return `“${shortened(text, LONGEST_QUOTE)}”`;
}

/** At most so many characters: the middle words are left out, or the end of a single long word. */
export function shortened(text: string, most: number): string {
  if (Array.from(text).length <= most) return text;
  const words = text.split(" ");
  for (let leftOut = 1; leftOut < words.length - 1; leftOut++) {
    const before = Math.ceil((words.length - leftOut) / 2);
    const kept = [...words.slice(0, before), "…", ...words.slice(before + leftOut)];
    // A group of words that do not stand together has dots of its own.
    const shorter = kept.filter((word, place) => word !== kept[place - 1]).join(" ");
    if (Array.from(shorter).length <= most) return shorter;
  }
  return `${Array.from(text)
    .slice(0, most - 1)
    .join("")}…`;
}
