/** A run whose single sentences can be looked at: how its numbers are asked for, named and coloured. */
import type { Points, RowList, TableLine } from "./documents";

export type LineOf = Pick<TableLine, "model" | "method" | "reference">;

interface Asked<Answer> {
  data: Answer | undefined;
  error: unknown;
}

export interface Sentenced {
  texts: number;
  models: readonly string[];
  /** What can be looked at. */
  measures: readonly { name: string; title: string }[];
  usePoints(measure: string): Asked<Points>;
  useSentences(after: number, texts: number): Asked<RowList>;
  /** One of the sentences, by its number. */
  sentence(text: number): Promise<string | undefined>;
  name(line: LineOf): string;
  /** The number of its colour. */
  series(line: LineOf): number;
  /** Whether a line has this measure; others are not shown beside it. */
  has(line: LineOf, measure: string): boolean;
}
