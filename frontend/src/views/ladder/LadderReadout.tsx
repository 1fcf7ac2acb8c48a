import { useMemo } from "react";
import type { Explanation } from "../../explanation";
import { type Fact, phraseOf, quoted, Readout, textOf } from "../../marks";
import { type Selection, spanKey, wordsOf } from "../../spans";
import type { Speech } from "./Blocks";
import { doubt, isMerging, type LadderResult, type LadderSpan, newSpans } from "./result";

type Props = {
  explanation: Explanation;
  result: LadderResult;
  selection: Selection;
  speech: Speech;
  looked: number | null;
};
type Standing = { span: LadderSpan; first: number; last: number };

export function LadderReadout({ explanation, result, selection, speech, looked }: Props) {
  const standing = useMemo(() => standingSpans(explanation, result), [explanation, result]);
  const span = selection.hovered ?? selection.selected;
  const found = span && standing.get(spanKey(span));
  const facts: Fact[] = [];
  if (found) {
    facts.push({ name: "alone", value: speech.numbers.signed(found.span.contribution - speech.neutral) });
    const levels =
      found.first === found.last ? `level ${found.first}` : `levels ${found.first} to ${found.last}`;
    facts.push({ name: "stands in", value: levels });
  } else if (span) facts.push({ name: "stands alone in", value: "no level" });
  return (
    <Readout
      subject={span && textOf(explanation, span)}
      facts={facts}
      hint={happened(explanation, result, speech, looked)}
    />
  );
}

/** Every span that is a block, with the first and the last level it stands in. */
function standingSpans(explanation: Explanation, result: LadderResult): Map<string, Standing> {
  const found = new Map<string, Standing>();
  result.levels.forEach(({ spans }, level) => {
    for (const span of spans) {
      const key = spanKey(wordsOf(explanation, span.start, span.end));
      const known = found.get(key);
      if (known === undefined) found.set(key, { span, first: level, last: level });
      else known.last = level;
    }
  });
  return found;
}

/** What happened at a level, in words. */
export function happened(
  explanation: Explanation,
  result: LadderResult,
  speech: Speech,
  level: number | null,
): string {
  if (level === null) return "Point at a block for its numbers; play to see the levels one by one.";
  const step = result.levels[level]?.step ?? null;
  const names = (start: number, end: number) => quoted(phraseOf(explanation, start, end));
  if (step !== null) {
    const [left, right] = [names(step.start, step.point), names(step.point, step.end)];
    const unsure = doubt(step);
    const error = step.standard_error ? ` ± ${speech.numbers.plain(step.standard_error)}` : "";
    const strength = `interaction ${speech.numbers.signed(step.interaction)}${error}${unsure === null ? "" : `, ${unsure}`}`;
    return isMerging(result)
      ? `Level ${level} joins ${left} and ${right}: ${strength}.`
      : `Level ${level} parts ${left} from ${right}: ${strength}.`;
  }
  if (level === 0) return isMerging(result) ? "Level 0: every word on its own." : "Level 0: the whole text.";
  const grown = newSpans(result, level).map(({ start, end }) => names(start, end));
  return `Level ${level}: ${grown.slice(0, 3).join(", ")}${grown.length > 3 ? " and more" : ""} ${grown.length === 1 ? "has" : "have"} grown.`;
}
