/**
 * The ladder: one row for each level, spans as blocks coloured by what they say on their own (HEDGE, ACD).
 *
 * Every block carries `data-span` (words), `data-value` (its contribution as the result has it), `data-says` (the same
 * measured from the contribution that says nothing: what the colour shows) and `data-level`.
 */
import { memo, useMemo, useRef, useState } from "react";
import type { Explanation } from "../../explanation";
import { numbersLike, SANS, Stage } from "../../marks";
import { type Span, sameSpan, type ViewProps, wordsOf } from "../view";
import { Lens, type Speech, StripRow, WrittenRow } from "./Blocks";
import { LadderControls } from "./LadderControls";
import { LadderReadout } from "./LadderReadout";
import { Lights, TopRing } from "./Lights";
import { type LadderLayout, layoutLadder } from "./layout";
import { type LadderResult, ladderOf, largest, neutral, topLevel } from "./result";
import { Steps } from "./Steps";
import { useScrub } from "./useScrub";
import "./ladder.css";

export function LadderPicture(props: ViewProps) {
  const result = ladderOf(props.explanation);
  return result === null || result.levels.length === 0 ? null : <Ladder {...props} result={result} />;
}

function Ladder({
  explanation,
  result,
  selection,
  onHover,
  onSelect,
  domain,
  width,
}: ViewProps & { result: LadderResult }) {
  const [writeAll, setWriteAll] = useState(false);
  // One stop for the Tab key: the grid, or, once inside, the cell that has the focus; else Shift+Tab would not lead out.
  const [inside, setInside] = useState(false);
  const picture = useRef<SVGSVGElement>(null);
  const { level, playing, scrub, play } = useScrub(result.levels.length);
  const layout = useMemo(
    () => layoutLadder(explanation, result, width, writeAll),
    [explanation, result, width, writeAll],
  );
  const speech = useMemo(() => speechOf(explanation, result, domain), [explanation, result, domain]);
  const last = result.levels.length - 1;
  const looked = level ?? (layout.lens === null ? null : (topLevel(result) ?? last));
  const lensLevel = result.levels[looked ?? last];

  const spanAt = (
    target: EventTarget | null,
  ): { span: Span; level: number | null; cell: string | null } | null => {
    if (!(target instanceof Element)) return null;
    const cell = target.closest("[data-cell]");
    if (cell !== null) {
      const [start = 0, end = 0] = (cell.getAttribute("data-span") ?? "").split("-").map(Number);
      return {
        span: [start, end],
        level: Number(cell.getAttribute("data-level")),
        cell: cell.getAttribute("data-cell"),
      };
    }
    const lens = target.closest("[data-lens]")?.getAttribute("data-lens")?.split("-").map(Number);
    return lens ? { span: wordsOf(explanation, lens[0] ?? 0, lens[1] ?? 0), level: null, cell: null } : null;
  };

  const go = (row: number, start: number) => {
    const spans = result.levels[row]?.spans ?? [];
    const place = Math.max(
      0,
      spans.findIndex((span) => span.start <= start && start < span.end),
    );
    picture.current?.querySelector<SVGElement>(`[data-cell="${row}-${place}"]`)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = spanAt(event.target);
    if (event.key === "Escape") onSelect(null);
    else if (at?.cell == null) return;
    else if (event.key === "Enter") onSelect(at.span);
    else if (event.key === " ") play();
    else if (!event.key.startsWith("Arrow") && event.key !== "Home" && event.key !== "End") return;
    else {
      const [row = 0, place = 0] = at.cell.split("-").map(Number);
      const spans = result.levels[row]?.spans ?? [];
      const span = spans[place];
      if (event.key === "ArrowUp") go(Math.max(0, row - 1), span?.start ?? 0);
      else if (event.key === "ArrowDown") go(Math.min(last, row + 1), span?.start ?? 0);
      else if (event.key === "ArrowLeft") go(row, spans[place - 1]?.start ?? 0);
      else if (event.key === "ArrowRight") go(row, spans[place + 1]?.start ?? span?.start ?? 0);
      else go(event.key === "Home" ? 0 : last, span?.start ?? 0);
    }
    event.preventDefault();
  };

  return (
    <div className="view ladder-view">
      {last > 0 && (
        <LadderControls
          level={looked}
          last={last}
          playing={playing}
          onPlay={play}
          onScrub={scrub}
          writeAll={layout.lens === null && !writeAll ? null : writeAll}
          onWriteAll={setWriteAll}
        />
      )}
      <Stage
        width={layout.width}
        height={layout.height}
        over={
          <Lights
            layout={layout}
            explanation={explanation}
            result={result}
            selection={selection}
            looked={looked}
          />
        }
        onPointerOver={(event) => {
          if (event.pointerType !== "touch") onHover(spanAt(event.target)?.span ?? null);
          // Dragging along the strips looks through the levels.
          const at = event.buttons === 1 && layout.lens !== null ? spanAt(event.target) : null;
          if (at?.level != null) scrub(at.level);
        }}
        onPointerLeave={() => onHover(null)}
        onFocus={(event) => {
          const at = spanAt(event.target);
          if ((event.target as Element) === picture.current) go(looked ?? last, 0);
          if (at === null) return;
          setInside(true);
          onHover(at.span);
          if (layout.lens !== null && at.level !== null) scrub(at.level);
        }}
        onBlur={(event) => {
          onHover(null);
          if (!event.currentTarget.contains(event.relatedTarget)) setInside(false);
        }}
        onClick={(event) => {
          const at = spanAt(event.target);
          if (at === null) return onSelect(null);
          if (layout.lens !== null && at.level !== null) scrub(at.level);
          onSelect(sameSpan(at.span, selection.selected) ? null : at.span);
        }}
        onKeyDown={onKeyDown}
      >
        <svg
          ref={picture}
          className="picture"
          role="grid"
          aria-label="Ladder: one row for each level, from one partition of the text to the next"
          aria-rowcount={result.levels.length}
          width={layout.width}
          height={layout.height}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          fontFamily={SANS}
          tabIndex={inside ? -1 : 0}
        >
          <Levels explanation={explanation} result={result} layout={layout} speech={speech} until={level} />
          <Steps layout={layout} result={result} speech={speech} />
          {lensLevel && <Lens layout={layout} level={lensLevel} speech={speech} />}
          <TopRing layout={layout} result={result} looked={looked} />
        </svg>
      </Stage>
      <LadderReadout
        explanation={explanation}
        result={result}
        selection={selection}
        speech={speech}
        looked={looked}
      />
    </div>
  );
}

type LevelsProps = {
  explanation: Explanation;
  result: LadderResult;
  layout: LadderLayout;
  speech: Speech;
  until: number | null;
};

/** All levels; those after the one being looked at step back. */
const Levels = memo(function Levels({ explanation, result, layout, speech, until }: LevelsProps) {
  const RowOf = layout.lens === null ? WrittenRow : StripRow;
  return layout.rows.map((row) => {
    const level = result.levels[row.level];
    if (level === undefined) return null;
    return (
      <g
        key={row.level}
        role="row"
        aria-rowindex={row.level + 1}
        className="ladder-row"
        data-later={until !== null && row.level > until ? "" : undefined}
      >
        <RowOf explanation={explanation} layout={layout} row={row} level={level} speech={speech} />
      </g>
    );
  });
});

function speechOf(explanation: Explanation, result: LadderResult, domain: number): Speech {
  return { neutral: neutral(explanation, result), domain, numbers: numbersLike([largest(explanation)]) };
}
