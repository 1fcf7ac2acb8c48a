import { memo } from "react";
import { QUIET } from "../../colour";
import { exactly, type Numbers } from "../../marks";
import type { Speech } from "./Blocks";
import { type LadderLayout, MARGIN, SMALL } from "./layout";
import { type LadderResult, newSpans, SURE } from "./result";

/** What happened at each level: a tick where a span was divided, a tie where two were merged, and the new numbers. */
export const Steps = memo(function Steps({
  layout,
  result,
  speech,
}: {
  layout: LadderLayout;
  result: LadderResult;
  speech: Speech;
}) {
  return (
    <g aria-hidden="true">
      {layout.rows.map(({ level, y, height }) => {
        const step = result.levels[level]?.step ?? null;
        return (
          <g key={level}>
            {(layout.lens === null || showsNumber(level, layout.rows.length)) && (
              <text
                className="quiet"
                x={MARGIN - 10}
                y={layout.lens === null ? y + layout.block / 2 : y + height / 2}
                dy="0.35em"
                textAnchor="end"
                fontSize={layout.lens === null ? SMALL.size : 9.5}
                fill={QUIET}
              >
                {level}
              </text>
            )}
            {step !== null && (
              <path
                className="ladder-step"
                d={tick(layout, y, height, step.point, result.method)}
                data-certainty={
                  step.certainty !== undefined && step.certainty < 1 ? exactly(step.certainty) : undefined
                }
                strokeDasharray={(step.certainty ?? 1) < SURE ? "2 2" : undefined}
              />
            )}
            {layout.hasNotes && (
              <text
                className="quiet"
                x={MARGIN + layout.paragraph.width + 12}
                y={y + layout.block / 2}
                dy="0.35em"
                fontSize={SMALL.size}
                fill={QUIET}
              >
                {notes(result, level, speech.neutral, speech.numbers)}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
});

/** On thin strips every fifth level has its number. */
const showsNumber = (level: number, levels: number): boolean => levels <= 24 || level % 5 === 0;

function tick(layout: LadderLayout, y: number, height: number, point: number, method: string): string {
  if (layout.lens !== null) {
    const x = (layout.edges[point] ?? 0) - 0.75;
    return `M${x} ${y - 0.5}v${height + 1}`;
  }
  const before = layout.paragraph.slots[point - 1];
  if (before === undefined) return "";
  const [x, top] = [MARGIN + before.right + 1.5, y + before.line * layout.line];
  return method === "hedge"
    ? `M${x} ${top - 3}v${layout.block + 6}`
    : `M${x - 6} ${top + layout.block - 1}h12`;
}

function notes(result: LadderResult, level: number, neutral: number, numbers: Numbers): string {
  const strongest = [...newSpans(result, level)]
    .sort((a, b) => Math.abs(b.contribution - neutral) - Math.abs(a.contribution - neutral))
    .slice(0, 2)
    .sort((a, b) => a.start - b.start);
  return strongest.map((span) => numbers.signed(span.contribution - neutral)).join("  |  ");
}
