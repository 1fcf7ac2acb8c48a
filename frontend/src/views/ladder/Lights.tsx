import { memo } from "react";
import { ACCENT, INK, QUIET } from "../../colour";
import type { Explanation } from "../../explanation";
import { type Selection, type Span, wordsOf } from "../../spans";
import { outline, underline, writtenOutline } from "./Blocks";
import { type LadderLayout, MARGIN } from "./layout";
import { type LadderResult, topLevel } from "./result";

type Props = {
  layout: LadderLayout;
  explanation: Explanation;
  result: LadderResult;
  selection: Selection;
  looked: number | null;
};

/** Where the words pointed at and chosen are in every level: a line under them, a ring where they are a block. */
export function Lights({ selection, ...rest }: Props) {
  return (
    <>
      <Light {...rest} span={selection.selected} lit="selected" />
      <Light {...rest} span={selection.hovered} lit="hovered" />
      <Marker layout={rest.layout} looked={rest.looked} />
    </>
  );
}

type LightProps = Omit<Props, "selection"> & { span: Span | null; lit: "hovered" | "selected" };

function Light({ layout, explanation, result, span, lit, looked }: LightProps) {
  const [start, end] = span === null ? [0, 0] : playersOf(explanation, span);
  if (start >= end) return null;
  const standing = layout.rows.filter(({ level }) =>
    result.levels[level]?.spans.some((each) => each.start === start && each.end === end),
  );
  const { lens, paragraph, block } = layout;
  let under = "";
  if (lens === null)
    for (const row of layout.rows) under += underline(paragraph, row.y, layout.line, block, start, end);
  else under = underline(paragraph, lens.y, lens.line, block, start, end);
  const lensRing = lens !== null && standing.some(({ level }) => level === looked);
  return (
    <>
      <path className="ring ladder-under" data-lit={lit} d={under} fill="none" stroke={INK} />
      {lens !== null && (
        <path className="ladder-column" d={column(layout, start, end)} fill="none" stroke={QUIET} />
      )}
      {standing.length > 0 && (
        <path
          className="ring"
          data-lit={lit}
          d={outline(layout, standing, start, end, lens === null ? 1 : 0.75)}
          fill="none"
          stroke={INK}
        />
      )}
      {lensRing && (
        <path
          className="ring"
          data-lit={lit}
          d={writtenOutline(layout, lens.y, lens.line, start, end, 1.5).join("")}
          fill="none"
          stroke={INK}
        />
      )}
    </>
  );
}

/** The players within some words. */
function playersOf(explanation: Explanation, [start, end]: Span): [number, number] {
  const first = explanation.players.findIndex((player) => player.end > start);
  const after = explanation.players.findIndex((player) => player.start >= end);
  const last = after < 0 ? explanation.players.length : after;
  const [from, to] = wordsOf(explanation, first, last);
  return first < 0 || from < start || to > end ? [0, 0] : [first, last];
}

/** Lines down the strips on both sides of what is pointed at. */
function column({ edges, rows }: LadderLayout, start: number, end: number): string {
  const [top, bottom] = [(rows[0]?.y ?? 0) - 3, (rows.at(-1)?.y ?? 0) + (rows.at(-1)?.height ?? 0) + 3];
  return `M${(edges[start] ?? 0) - 0.75} ${top}V${bottom}M${(edges[end] ?? 0) - 0.75} ${top}V${bottom}`;
}

/** The level being looked at, beside its row. */
function Marker({ layout, looked }: { layout: LadderLayout; looked: number | null }) {
  const row = looked === null ? undefined : layout.rows[looked];
  if (row === undefined) return null;
  const y = layout.lens === null ? row.y + layout.block / 2 : row.y + row.height / 2;
  return <path className="ladder-marker" d={`M${MARGIN - 7} ${y - 4}l5 4l-5 4z`} fill={ACCENT} />;
}

/** A ring around the top phrase where it first stands alone. */
export const TopRing = memo(function TopRing({
  layout,
  result,
  looked,
}: {
  layout: LadderLayout;
  result: LadderResult;
  looked: number | null;
}) {
  const [top, level] = [result.top_phrase, topLevel(result)];
  const row = level === null ? undefined : layout.rows[level];
  if (top === null || row === undefined) return null;
  const { lens } = layout;
  const inLens =
    lens !== null &&
    result.levels[looked ?? -1]?.spans.some(({ start, end }) => start === top.start && end === top.end);
  return (
    <g aria-hidden="true" fill="none" stroke={INK}>
      <path
        className="ladder-top"
        data-top=""
        d={outline(layout, [row], top.start, top.end, lens === null ? 2 : 1)}
      />
      {inLens && (
        <path
          className="ladder-top"
          d={writtenOutline(layout, lens.y, lens.line, top.start, top.end, 2).join("")}
        />
      )}
    </g>
  );
});
