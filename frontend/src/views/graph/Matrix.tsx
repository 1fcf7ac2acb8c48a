/**
 * The graph as a matrix: every ordered pair at once, from rows (the word that is there) to columns (the word that adds).
 *
 * A cell carries `data-from`, `data-to` (nodes) and `data-value`, exactly as the result has it.
 */

import { memo, useMemo } from "react";
import { FAINT, filled, inked, QUIET } from "../../colour";
import { dataAt, exactly, fitted, type Numbers, SANS, Stage, textWidth, useMarks } from "../../marks";
import { overlaps, type Selection } from "../../spans";
import type { Graph } from "./arrows";
import { f } from "./layout";
import type { Measure } from "./measures";

const FACE = { size: 12 };
const NUMBER_FACE = { size: 10.5 };
const SMALLEST_CELL = 14;
const LARGEST_CELL = 46;
const LONGEST_LABEL = 96;
const GAP = 6;

const FIRST_CELL: Place = { row: 0, column: 1 };
const STEPS: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export interface Place {
  row: number;
  column: number;
}

export interface MatrixProps {
  graph: Graph;
  measure: Measure;
  active: Place | null;
  selection: Selection;
  domain: number;
  width: number;
  numbers: Numbers;
  onPoint(place: Place | null): void;
  onChoose(place: Place): void;
  onClear(): void;
}

export function Matrix(props: MatrixProps) {
  const { graph, measure, active, selection, domain, width, numbers } = props;
  const size = graph.nodes.length;
  const labels = useMemo(() => graph.nodes.map((node) => fitted(node.text, LONGEST_LABEL, FACE)), [graph]);
  const room = Math.max(...labels.map((label) => textWidth(label, FACE))) + GAP;
  const cell = Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, (width - room - 2) / size));
  const [left, top] = [room, room * 0.84 + 8];
  const lit = graph.nodes.flatMap(({ span, index }) =>
    overlaps(span, selection.hovered) || overlaps(span, selection.selected) ? [index] : [],
  );
  const rows = active ? [active.row] : lit;
  const columns = active ? [active.column] : lit;
  const { hands } = useMarks<Place>({
    at: (part) => {
      const [row, column] = [dataAt(part, "from"), dataAt(part, "to")];
      return row === null ? null : { row: Number(row), column: Number(column) };
    },
    point: props.onPoint,
    choose: props.onChoose,
    clear: props.onClear,
    // The focus stays on the matrix: so many cells would be as many stops on the way through the page.
    key: (_, { key }) => {
      const step = STEPS[key];
      const within = (place: number) => Math.max(0, Math.min(size - 1, place));
      if (step && active)
        props.onPoint({ row: within(active.row + step[0]), column: within(active.column + step[1]) });
      else if (step) props.onPoint(FIRST_CELL);
      else if (key === "Enter") props.onChoose(active ?? FIRST_CELL);
      else return false;
      return true;
    },
  });
  const total = {
    width: Math.max(left + cell * size + 2, Math.min(width, left + cell * size + room * 0.6)),
    height: top + cell * size + 2,
  };
  const over = (
    <g fontSize={FACE.size} fontFamily={SANS}>
      {rows.map((row) => (
        <g key={row}>
          <RowLabel text={labels[row] ?? ""} x={left - GAP} y={top + cell * (row + 0.5)} lit />
          <rect
            className="graph-cross"
            x={f(left)}
            y={f(top + row * cell)}
            width={f(cell * size)}
            height={f(cell)}
          />
        </g>
      ))}
      {columns.map((column) => (
        <g key={column}>
          <ColumnLabel text={labels[column] ?? ""} x={left + cell * (column + 0.5) + 3} y={top - GAP} lit />
          <rect
            className="graph-cross"
            x={f(left + column * cell)}
            y={f(top)}
            width={f(cell)}
            height={f(cell * size)}
          />
        </g>
      ))}
    </g>
  );
  return (
    <Stage width={total.width} height={total.height} over={over}>
      <svg
        className="picture graph-matrix"
        width={total.width}
        height={total.height}
        viewBox={`0 0 ${total.width} ${total.height}`}
        role="application"
        aria-roledescription="matrix"
        aria-label={`${measure.title}: a matrix of ${size} by ${size}. Arrow keys move from cell to cell.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move in it.
        tabIndex={0}
        {...hands}
      >
        <Cells
          measure={measure}
          labels={labels}
          cell={cell}
          left={left}
          top={top}
          domain={domain}
          numbers={numbers}
        />
      </svg>
    </Stage>
  );
}

interface LabelProps {
  text: string;
  x: number;
  y: number;
  lit?: boolean;
}

function RowLabel({ text, x, y, lit = false }: LabelProps) {
  return (
    <text className={lit ? "graph-lit" : "quiet"} fill={QUIET} x={f(x)} y={f(y)} dy="0.35em" textAnchor="end">
      {text}
    </text>
  );
}

function ColumnLabel({ text, x, y, lit = false }: LabelProps) {
  return (
    <text
      className={lit ? "graph-lit" : "quiet"}
      fill={QUIET}
      transform={`translate(${f(x)} ${f(y)}) rotate(-58)`}
    >
      {text}
    </text>
  );
}

interface CellsProps {
  measure: Measure;
  labels: readonly string[];
  cell: number;
  left: number;
  top: number;
  domain: number;
  numbers: Numbers;
}

/** All cells. They are drawn once: what is pointed at is drawn over them. */
const Cells = memo(function Cells({ measure, labels, cell, left, top, domain, numbers }: CellsProps) {
  const written = cell >= textWidth(numbers.signed(-domain), NUMBER_FACE) + 6;
  return (
    <g fontSize={FACE.size} fontFamily={SANS}>
      {labels.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place.
        <g key={index}>
          <RowLabel text={text} x={left - GAP} y={top + cell * (index + 0.5)} />
          <ColumnLabel text={text} x={left + cell * (index + 0.5) + 3} y={top - GAP} />
          <circle
            className="graph-self"
            cx={f(left + cell * (index + 0.5))}
            cy={f(top + cell * (index + 0.5))}
            r={1.5}
            fill={FAINT}
          />
        </g>
      ))}
      {measure.matrix.flatMap((line, row) =>
        line.map((value, column) => {
          if (row === column) return null;
          const [x, y] = [left + column * cell, top + row * cell];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
            <g key={`${row}-${column}`} data-from={row} data-to={column} data-value={exactly(value)}>
              <rect
                x={f(x + 0.5)}
                y={f(y + 0.5)}
                width={f(cell - 1)}
                height={f(cell - 1)}
                rx={2}
                {...filled(value, domain)}
              />
              {written && (
                <text
                  x={f(x + cell / 2)}
                  y={f(y + cell / 2)}
                  dy="0.35em"
                  textAnchor="middle"
                  fontSize={NUMBER_FACE.size}
                  pointerEvents="none"
                  {...inked(value, domain)}
                >
                  {numbers.signed(value)}
                </text>
              )}
            </g>
          );
        }),
      )}
    </g>
  );
});
