import { memo } from "react";
import { filled, inked, QUIET } from "../../colour";
import type { Explanation } from "../../explanation";
import { blockCourse, exactly, type Numbers, type Paragraph, playerNames, stretches } from "../../marks";
import { spanKey, wordsOf } from "../../spans";
import { type LadderLayout, MARGIN, type Row, SMALL } from "./layout";
import type { LadderSpan, Level } from "./result";

export type Speech = { readonly neutral: number; readonly domain: number; readonly numbers: Numbers };

type Cell = { explanation: Explanation; span: LadderSpan; level: number; place: number; speech: Speech };

/** What every block carries, written out or not: its words, its numbers, its name, its place among the cells. */
function cellAttributes({ explanation, span, level, place, speech }: Cell) {
  const says = span.contribution - speech.neutral;
  return {
    role: "gridcell",
    tabIndex: -1,
    // The words as they are written on the block: what is seen and what is said must be the same.
    "aria-label": `${playerNames(explanation).slice(span.start, span.end).join(" ")}: ${speech.numbers.signed(says)}`,
    "data-span": spanKey(wordsOf(explanation, span.start, span.end)),
    "data-value": exactly(span.contribution),
    "data-says": exactly(says),
    "data-level": level,
    "data-cell": `${level}-${place}`,
  };
}

type WordsProps = { layout: LadderLayout; span: LadderSpan; y: number; line: number; speech: Speech };

/** A span as a block over its words, on as many lines as they take. */
function Words({ layout, span, y, line, speech }: WordsProps) {
  const { paragraph, block, face } = layout;
  const says = span.contribution - speech.neutral;
  return (
    <g className="chip" transform={`translate(${MARGIN} 0)`} aria-hidden="true">
      {stretches(paragraph, span.start, span.end).map((stretch) => (
        <path
          key={stretch.line}
          d={blockCourse(stretch, y + stretch.line * line, block, 4)}
          {...withClass(filled(says, speech.domain), "ladder-block")}
        />
      ))}
      {paragraph.slots.slice(span.start, span.end).map((slot) => (
        <text
          key={`${slot.line} ${slot.left}`}
          x={(slot.left + slot.right) / 2}
          y={y + slot.line * line + block / 2}
          dy="0.35em"
          textAnchor="middle"
          fontSize={face.size}
          {...inked(says, speech.domain)}
        >
          {`${slot.text} `}
        </text>
      ))}
    </g>
  );
}

const withClass = <T extends { className: string }>(attributes: T, className: string): T => ({
  ...attributes,
  className: `${attributes.className} ${className}`,
});

type RowProps = { explanation: Explanation; layout: LadderLayout; row: Row; level: Level; speech: Speech };

/** A level with its words. */
export const WrittenRow = memo(function WrittenRow({ explanation, layout, row, level, speech }: RowProps) {
  return (
    <>
      {level.spans.map((span, place) => (
        <g key={span.start} {...cellAttributes({ explanation, span, level: row.level, place, speech })}>
          <Words layout={layout} span={span} y={row.y} line={layout.line} speech={speech} />
        </g>
      ))}
    </>
  );
});

/** A level as a strip of colours. */
export const StripRow = memo(function StripRow({ explanation, layout, row, level, speech }: RowProps) {
  const { edges } = layout;
  return (
    <>
      {level.spans.map((span, place) => {
        const left = edges[span.start] ?? 0;
        const says = span.contribution - speech.neutral;
        return (
          <rect
            key={span.start}
            x={round(left)}
            y={row.y}
            width={round(Math.max(1, (edges[span.end] ?? 0) - left - 1.5))}
            height={row.height}
            rx={1.5}
            {...withClass(filled(says, speech.domain), "ladder-strip")}
            {...cellAttributes({ explanation, span, level: row.level, place, speech })}
          />
        );
      })}
    </>
  );
});

/** The level being looked at, written out with a number under every block that has room for one. */
export const Lens = memo(function Lens({
  layout,
  level,
  speech,
}: {
  layout: LadderLayout;
  level: Level;
  speech: Speech;
}) {
  const lens = layout.lens;
  if (lens === null) return null;
  return (
    <g aria-hidden="true">
      {level.spans.map((span) => {
        const first = stretches(layout.paragraph, span.start, span.end)[0];
        const says = span.contribution - speech.neutral;
        return (
          <g key={span.start} data-lens={`${span.start}-${span.end}`}>
            <Words layout={layout} span={span} y={lens.y} line={lens.line} speech={speech} />
            {first && first.right - first.left > 26 && (
              <text
                className="quiet"
                x={MARGIN + first.left + 2}
                y={lens.y + first.line * lens.line + layout.block + 13}
                fontSize={SMALL.size}
                fill={QUIET}
              >
                {speech.numbers.signed(says)}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
});

/** The outline of a span wherever it stands in these rows, as one path; around all of a run of strips at once. */
export function outline(
  layout: LadderLayout,
  rows: readonly Row[],
  start: number,
  end: number,
  gap: number,
): string {
  if (layout.lens === null)
    return rows.flatMap((row) => writtenOutline(layout, row.y, layout.line, start, end, gap)).join("");
  const runs: { first: Row; last: Row }[] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run !== undefined && run.last.level === row.level - 1) run.last = row;
    else runs.push({ first: row, last: row });
  }
  return runs.map(({ first, last }) => stripOutline(layout, first, last, start, end, gap)).join("");
}

export function writtenOutline(
  layout: LadderLayout,
  y: number,
  line: number,
  start: number,
  end: number,
  gap: number,
): string[] {
  return stretches(layout.paragraph, start, end).map((stretch) =>
    blockCourse(
      { ...stretch, left: MARGIN + stretch.left - gap, right: MARGIN + stretch.right + gap },
      y + stretch.line * line - gap,
      layout.block + 2 * gap,
      5,
    ),
  );
}

function stripOutline(
  { edges }: LadderLayout,
  first: Row,
  last: Row,
  start: number,
  end: number,
  gap: number,
): string {
  const [left, right] = [(edges[start] ?? 0) - gap, (edges[end] ?? 0) - 1.5 + gap];
  return `M${round(left)} ${first.y - gap}H${round(right)}V${last.y + last.height + gap}H${round(left)}Z`;
}

/** A line under players from `start` up to `end`, in a written level. */
export function underline(
  paragraph: Paragraph,
  y: number,
  line: number,
  block: number,
  start: number,
  end: number,
): string {
  return stretches(paragraph, start, end)
    .map(
      ({ line: number, left, right }) =>
        `M${round(MARGIN + left + 1)} ${y + number * line + block}H${round(MARGIN + right - 1)}`,
    )
    .join("");
}

const round = (length: number): number => Math.round(length * 10) / 10;
