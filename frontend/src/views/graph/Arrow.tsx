/**
 * One arrow: a stroke as wide as what the word adds once the other is there, a ghost inside it as wide as what it adds
 * without, and both numbers at its top.
 *
 * Data: `data-from`, `data-to` (nodes), `data-span` (words of the node that adds), `data-value` (with: G1, or the
 * published arrow), `data-absent` (without: G0), `data-synergy` or `data-interaction` and `data-displacement`,
 * `data-error` (of the value).
 */

import { memo } from "react";
import { PAPER, QUIET, side, stroked } from "../../colour";
import { exactly, type Numbers, SANS } from "../../marks";
import { type Span, spanKey } from "../../spans";
import { arrowKey } from "./arrows";
import { bridge, type Course, f } from "./layout";

const THICKEST = 6.5;
const GHOST_BELOW = 8;
export const LABEL_FACE = { size: 11, weight: 600 };

export interface ArrowMarkProps {
  course: Course;
  /** Where the arrow meets its words. */
  startY: number;
  endY: number;
  span: Span;
  largest: number;
  state: "plain" | "lit" | "faint";
  name: string;
}

/** The numbers at the top of an arrow: without → with. */
export function labelOf(
  { without, value }: { without: number | null; value: number },
  numbers: Numbers,
): string {
  return without === null ? numbers.signed(value) : `${numbers.signed(without)} → ${numbers.signed(value)}`;
}

function thickness(value: number, largest: number): number {
  return 1.2 + (THICKEST * Math.abs(value)) / (largest || 1);
}

function topOf({ above, height }: Course, startY: number, endY: number): number {
  return above ? Math.min(startY, endY) - height : Math.max(startY, endY) + height;
}

export const ArrowMark = memo(function ArrowMark(props: ArrowMarkProps) {
  const { course, startY, endY, span, largest, state, name } = props;
  const { arrow, above, end } = course;
  const out = above ? -1 : 1;
  const width = (value: number) => thickness(value, largest);
  const thick = width(arrow.value);
  const head = 4.5 + thick * 0.75;
  const top = topOf(course, startY, endY);
  const path = bridge(course, startY, endY, top, head * 0.8);
  const { className: themed, stroke: colour, style } = stroked(arrow.value);
  return (
    <g
      className="graph-arrow"
      role="button"
      tabIndex={-1}
      aria-label={name}
      data-key={arrowKey(arrow)}
      data-arrow={arrowKey(arrow)}
      data-state={state}
      data-from={arrow.given}
      data-to={arrow.adds}
      data-span={spanKey(span)}
      data-value={exactly(arrow.value)}
      data-error={arrow.errors ? exactly(arrow.errors.value) : undefined}
      data-absent={arrow.without === null ? undefined : exactly(arrow.without)}
      data-synergy={arrow.displaced === null ? exactly(arrow.together) : undefined}
      data-interaction={arrow.displaced === null ? undefined : exactly(arrow.together)}
      data-displacement={arrow.displaced === null ? undefined : exactly(arrow.displaced)}
    >
      {arrow.without !== null && (
        <path
          d={bridge(course, startY, endY, top - out * (GHOST_BELOW + (thick + width(arrow.without)) / 4), 2)}
          fill="none"
          strokeWidth={f(width(arrow.without))}
          opacity={0.34}
          {...stroked(arrow.without)}
        />
      )}
      <path className={themed} d={path} fill="none" stroke={colour} style={style} strokeWidth={f(thick)} />
      <path
        className="themed-fill"
        style={style}
        fill={colour}
        d={`M${f(end)} ${f(endY)}l${f(-head * 0.62)} ${f(out * head)}h${f(head * 1.24)}z`}
      />
      <path className="graph-hit" d={path} fill="none" stroke="transparent" strokeWidth={14} />
    </g>
  );
});

/** The numbers of an arrow, drawn over all arrows. */
export const ArrowLabel = memo(function ArrowLabel(
  props: Omit<ArrowMarkProps, "span" | "name"> & { numbers: Numbers },
) {
  const { course, startY, endY, largest, numbers, state } = props;
  const { arrow, above, start, end } = course;
  const away = thickness(arrow.value, largest) / 2 + 4;
  const { fill, style } = { fill: side(arrow.value), style: stroked(arrow.value).style };
  return (
    <text
      className="graph-label"
      data-state={state}
      x={f((start + end) / 2)}
      y={f(topOf(course, startY, endY) + (above ? -away : away))}
      dy={above ? 0 : "0.72em"}
      textAnchor="middle"
      fontSize={LABEL_FACE.size}
      fontFamily={SANS}
      stroke={PAPER}
      strokeWidth={4}
      strokeLinejoin="round"
      paintOrder="stroke"
      aria-hidden="true"
    >
      {arrow.without !== null && (
        <tspan className="quiet" fill={QUIET}>{`${numbers.signed(arrow.without)} → `}</tspan>
      )}
      <tspan className="themed-fill" style={style} fill={fill} fontWeight={LABEL_FACE.weight}>
        {numbers.signed(arrow.value)}
      </tspan>
    </text>
  );
});
