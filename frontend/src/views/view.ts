/**
 * What a view is: one picture of an explanation, with all that stands around it.
 *
 * Words are the common coordinate of all views. Results count players, and a player covers words
 * (`explanation.players[i].start … end`); whatever a picture reports or receives as a span is in words.
 */
import type { FC } from "react";
import type { Explanation } from "../explanation";

/** Words from the first number up to, not including, the second. */
export type Span = readonly [number, number];

export interface Selection {
  hovered: Span | null;
  selected: Span | null;
}

export interface ViewProps<E extends Explanation = Explanation> {
  /** Possibly with a partial result, while the job still runs. */
  explanation: E;
  selection: Selection;
  onHover(span: Span | null): void;
  onSelect(span: Span | null): void;
  /** Colours run from -domain to +domain. */
  domain: number;
  /** CSS pixels there are. */
  width: number;
  /** Asks the same question with these parameters of the method changed; absent where nobody can ask. */
  onParameters?(parameters: Record<string, unknown>): void;
}

export type ViewName = "tree" | "ladder" | "graph" | "interactions" | "tokens";

export interface Table {
  columns: string[];
  rows: (string | number | null)[][];
}

export interface View {
  name: ViewName;
  title: string;
  Picture: FC<ViewProps>;
  Legend: FC<{ explanation: Explanation; domain: number }>;
  HowToRead: FC;
  /** The largest magnitude in the picture: what the colour domain must reach. */
  largest(explanation: Explanation): number;
  /** The data table behind the picture, and the CSV. */
  table(explanation: Explanation): Table;
}

export function sameSpan(a: Span | null, b: Span | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);
}

export function overlaps(a: Span | null, b: Span | null): boolean {
  return a !== null && b !== null && a[0] < b[1] && b[0] < a[1];
}

/** The words that players from `start` up to `end` cover. */
export function wordsOf({ players }: Pick<Explanation, "players">, start: number, end: number): Span {
  return [players[start]?.start ?? 0, players[end - 1]?.end ?? 0];
}
