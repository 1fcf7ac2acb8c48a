/** What a view is: one picture of an explanation, with all that stands around it. */
import type { FC } from "react";
import type { Explanation } from "../explanation";
import type { Selection, Span } from "../spans";

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

export interface Table {
  columns: string[];
  rows: (string | number | null)[][];
}

export interface View<Name extends string = string> {
  name: Name;
  title: string;
  /** The method it opens with. */
  usual: string;
  /** Whether its methods find phrases, or score words one by one. */
  finds: "phrases" | "words";
  Picture: FC<ViewProps>;
  Legend: FC<{ explanation: Explanation; domain: number }>;
  HowToRead: FC;
  /** Whether this is a result that its picture knows; any other is drawn from its reading (see registry.ts). */
  draws(explanation: Explanation): boolean;
  /** The largest magnitude in the picture: what the colour domain must reach. */
  largest(explanation: Explanation): number;
  /** The data table behind the picture. Files have the reading instead, the same columns for all methods. */
  table(explanation: Explanation): Table;
}
