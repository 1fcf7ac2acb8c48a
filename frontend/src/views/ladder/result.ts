/** What the ladder draws: partitions of the text, level by level, with what each span says on its own. */

import appearance from "../../appearance";
import type { Explanation } from "../../explanation";
import { percent, phraseOf } from "../../marks";
import type { Table } from "../view";

/** A span in players, as the result has it. */
export type LadderSpan = { readonly start: number; readonly end: number; readonly contribution: number };
export type Step = {
  readonly start: number;
  readonly point: number;
  readonly end: number;
  readonly interaction: number;
  /** How surely no other step of this level is weaker; results of older services do not say, they were exact. */
  readonly certainty?: number;
  readonly standard_error?: number;
};
export type Level = { readonly spans: readonly LadderSpan[]; readonly step: Step | null };
export type LadderResult = {
  readonly method: string;
  readonly levels: readonly Level[];
  readonly base: number;
  readonly top_phrase: LadderSpan | null;
  readonly form?: "exact" | "economical";
};

const ZERO_IS_A_TIE: readonly string[] = appearance.scales.zero_is_a_tie;

/** Steps less sure than this are drawn as doubtful. */
export const SURE = 0.95;

const METHODS: readonly (string | undefined)[] = ["hedge", "hedge-merge", "acd"];

export function ladderOf({ result }: Explanation): LadderResult | null {
  return METHODS.includes(result.method as string) ? (result as LadderResult) : null;
}

/** How sure a step is in words, where it may be another one. */
export function doubt(step: Step | null): string | null {
  const certainty = step?.certainty ?? 1;
  return certainty === 1 ? null : `${percent(certainty)} sure`;
}

/** Whether levels lead from the words up to the whole text. */
export const isMerging = (result: LadderResult): boolean => result.method !== "hedge";

/**
 * The contribution that says nothing: a tie on scales where zero is one, else the output with no word present. A CD
 * score (ACD) is a part of the logit, not an output: no part is zero.
 */
export function neutral(explanation: Explanation, result: LadderResult): number {
  return ZERO_IS_A_TIE.includes(explanation.scale) || result.method === "acd" ? 0 : result.base;
}

/** The spans a level has and the one before it has not. */
export function newSpans(result: LadderResult, level: number): readonly LadderSpan[] {
  const before = new Set(result.levels[level - 1]?.spans.map(({ start, end }) => `${start} ${end}`));
  return (result.levels[level]?.spans ?? []).filter(({ start, end }) => !before.has(`${start} ${end}`));
}

/** Where the top phrase first stands alone. */
export function topLevel(result: LadderResult): number | null {
  const top = result.top_phrase;
  if (top === null) return null;
  const level = result.levels.findIndex(({ spans }) =>
    spans.some((span) => span.start === top.start && span.end === top.end),
  );
  return level < 0 ? null : level;
}

export function largest(explanation: Explanation): number {
  const result = ladderOf(explanation);
  if (result === null) return 0;
  const nothing = neutral(explanation, result);
  let most = 0;
  for (const { spans } of result.levels)
    for (const span of spans) most = Math.max(most, Math.abs(span.contribution - nothing));
  return most;
}

export function table(explanation: Explanation): Table {
  const result = ladderOf(explanation);
  const columns = [
    "level",
    "text",
    "contribution",
    "compared with neutral",
    "interaction of this step",
    "certainty of this step",
  ];
  if (result === null) return { columns, rows: [] };
  const nothing = neutral(explanation, result);
  const rows = result.levels.flatMap(({ spans, step }, level) =>
    spans.map((span) => {
      const made = step !== null && span.start >= step.start && span.end <= step.end ? step : null;
      return [
        level,
        phraseOf(explanation, span.start, span.end),
        span.contribution,
        span.contribution - nothing,
        made?.interaction ?? null,
        made && (made.certainty ?? 1),
      ];
    }),
  );
  return { columns, rows };
}
