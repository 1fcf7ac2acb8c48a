/**
 * The ladder: one row for each level, spans as blocks coloured by what they say on their own (HEDGE, ACD).
 *
 * Every block carries `data-span` (words), `data-value` (its contribution as the result has it), `data-says` (the same
 * measured from the contribution that says nothing: what the colour shows) and `data-level`.
 */

import { memo, useMemo, useState } from "react";
import type { Explanation } from "../../explanation";
import { dataAt, numbersLike, SANS, Stage, useMarks } from "../../marks";
import { type Span, sameSpan, wordsOf } from "../../spans";
import type { ViewProps } from "../view";
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
  const { level, playing, scrub, play } = useScrub(result.levels.length);
  const layout = useMemo(
    () => layoutLadder(explanation, result, width, writeAll),
    [explanation, result, width, writeAll],
  );
  const speech = useMemo(() => speechOf(explanation, result, domain), [explanation, result, domain]);
  const last = result.levels.length - 1;
  const looked = level ?? (layout.lens === null ? null : (topLevel(result) ?? last));
  const lensLevel = result.levels[looked ?? last];

  /** Looking along the strips of many levels means to look at one of them. */
  const look = ({ level }: Mark) => {
    if (layout.lens !== null && level !== null) scrub(level);
  };
  const cellOver = (row: number, start: number) => {
    const spans = result.levels[row]?.spans ?? [];
    const place = spans.findIndex((span) => span.start <= start && start < span.end);
    return `[data-cell="${row}-${Math.max(0, place)}"]`;
  };
  const { picture, hands, goTo } = useMarks<Mark>({
    at: (part) => markAt(part, explanation),
    point: (mark) => onHover(mark?.span ?? null),
    choose: (mark) => {
      look(mark);
      onSelect(sameSpan(mark.span, selection.selected) ? null : mark.span);
    },
    clear: () => onSelect(null),
    drag: look,
    enter: (mark) => {
      if (mark === null) return goTo(cellOver(looked ?? last, 0));
      setInside(true);
      look(mark);
    },
    leave: () => setInside(false),
    key: (mark, { key }) => {
      if (mark?.cell == null) return false;
      const [row = 0, place = 0] = mark.cell.split("-").map(Number);
      const spans = result.levels[row]?.spans ?? [];
      const start = spans[place]?.start ?? 0;
      switch (key) {
        case " ":
          play();
          return true;
        case "ArrowUp":
          return cellOver(Math.max(0, row - 1), start);
        case "ArrowDown":
          return cellOver(Math.min(last, row + 1), start);
        case "ArrowLeft":
          return cellOver(row, spans[place - 1]?.start ?? 0);
        case "ArrowRight":
          return cellOver(row, spans[place + 1]?.start ?? start);
        case "Home":
          return cellOver(0, start);
        case "End":
          return cellOver(last, start);
        default:
          return false;
      }
    },
  });

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
        {...hands}
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

/** A block of a level, or of the lens that writes one level out. */
type Mark = { span: Span; level: number | null; cell: string | null };

function markAt(part: Element, explanation: Explanation): Mark | null {
  const cell = dataAt(part, "cell");
  if (cell !== null) {
    const [start = 0, end = 0] = (dataAt(part, "span") ?? "").split("-").map(Number);
    return { span: [start, end], level: Number(dataAt(part, "level")), cell };
  }
  const lens = dataAt(part, "lens")?.split("-").map(Number);
  return lens ? { span: wordsOf(explanation, lens[0] ?? 0, lens[1] ?? 0), level: null, cell: null } : null;
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
