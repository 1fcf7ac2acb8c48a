import { memo } from "react";
import { filled, INK, PAPER, QUIET } from "../../colour";
import { exactly } from "../../marks";
import { spanKey } from "../../spans";
import { NAME, NUMBER, type PlacedRow } from "./layout";

type Props = { row: PlacedRow; labelX: number; domain: number; selected: boolean; reachable: boolean };

/** A name, a bar with its whisker, and its number. Totals have no bar: they are where the others begin and end. */
export const Bar = memo(function Bar({ row, labelX, domain, selected, reachable }: Props) {
  const middle = row.height / 2;
  const isTotal = row.kind === "total";
  const thickness = row.height - (row.height > 24 ? 10 : 7);
  const option = isTotal
    ? {}
    : ({
        role: "option",
        tabIndex: reachable ? 0 : -1,
        "aria-selected": selected,
        "aria-label": spoken(row),
        "data-row": row.key,
      } as const);
  return (
    <g
      {...option}
      className={`token-row token-${row.kind}`}
      transform={`translate(0 ${row.y})`}
      data-span={row.span ? spanKey(row.span) : undefined}
      data-other={row.other ? spanKey(row.other) : undefined}
      data-value={exactly(row.value)}
      data-error={row.error === null ? undefined : exactly(row.error)}
      data-total={isTotal ? row.key : undefined}
    >
      {!isTotal && <rect className="token-touch" width="100%" height={row.height} fill="transparent" />}
      <g aria-hidden={isTotal ? undefined : "true"}>
        <text
          className={isTotal || row.kind === "others" ? "quiet" : "ink"}
          x={labelX}
          y={middle}
          dy="0.35em"
          textAnchor="end"
          fontSize={isTotal ? 12.5 : NAME.size}
          fill={isTotal ? QUIET : INK}
        >
          {`${row.label} `}
        </text>
        {isTotal ? (
          <path
            className="ink-line"
            d={`M${round(row.end)} ${middle - thickness / 2}v${thickness}`}
            stroke={INK}
            strokeWidth={2}
          />
        ) : (
          <g className="token-bar">
            <rect
              x={round(row.left)}
              y={middle - thickness / 2}
              width={round(Math.max(1.5, row.right - row.left))}
              height={thickness}
              rx={2.5}
              stroke="#c9c5d4"
              {...filled(row.value, domain)}
            />
          </g>
        )}
        {row.reach > 0.25 && <Whisker end={row.end} reach={row.reach} y={middle} />}
        <text
          className={isTotal ? "quiet" : "ink"}
          x={round(row.numberX)}
          y={middle}
          dy="0.35em"
          fontSize={NUMBER.size}
          fill={INK}
        >
          {row.number}
        </text>
      </g>
    </g>
  );
});

/** Begins with what is seen; a name that was cut short follows whole. */
function spoken({ kind, label, name, number }: PlacedRow): string {
  const more = kind === "others" ? ", open" : label === name ? "" : `: ${name}`;
  return `${label} ${number}${more}`;
}

/** The range that holds the value in 95 of 100 draws, over a halo that keeps it in sight on dark bars. */
function Whisker({ end, reach, y }: { end: number; reach: number; y: number }) {
  const [left, right] = [round(end - reach), round(end + reach)];
  const caps = reach < 2 ? "" : `M${left} ${y - 3}v6M${right} ${y - 3}v6`;
  const course = `M${left} ${y}H${right}${caps}`;
  return (
    <g className="token-whisker" fill="none">
      <path className="token-halo" d={course} stroke={PAPER} strokeWidth={3.5} />
      <path className="ink-line" d={course} stroke={INK} strokeWidth={1.2} />
    </g>
  );
}

const round = (length: number): number => Math.round(length * 10) / 10;
