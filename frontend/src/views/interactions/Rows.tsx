/** Rows over one sentence, with pointer and keyboard: up and down from row to row, left and right from word to word. */

import { type ReactNode, useMemo } from "react";
import { QUIET } from "../../colour";
import { dataAt, type Numbers, SANS, useMarks } from "../../marks";
import { overlaps, type Selection, type Span } from "../../spans";
import { BeamRow } from "./BeamRow";
import type { Frame } from "./frame";

const HEADINGS = 20;

export interface Row {
  players: readonly number[];
  alone: readonly (number | null)[];
  value: number | null;
  name: string;
  data: Record<`data-${string}`, string | number | undefined>;
  children: ReactNode;
}

export interface RowsProps {
  label: string;
  frame: Frame;
  rows: readonly Row[];
  headings: readonly { x: number; text: string }[];
  spans: readonly Span[];
  selection: Selection;
  domain: number;
  numbers: Numbers;
  /** The row pointed at, and the one that was opened. */
  pointed: number | null;
  opened: number | null;
  onPoint(row: number | null, player: number | null): void;
  onOpen(row: number, player: number | null): void;
  onClear(): void;
}

/** A row, and the word of it under the pointer. */
type Mark = { row: number; player: number | null };

export function Rows(props: RowsProps) {
  const { label, frame, rows, headings, spans, selection, domain, numbers, pointed, opened } = props;
  const height = HEADINGS + rows.length * frame.rowHeight;
  const lit = useMemo(
    () =>
      spans.flatMap((span, player) =>
        overlaps(span, selection.hovered) || overlaps(span, selection.selected) ? [player] : [],
      ),
    [spans, selection],
  );
  const involved = (row: Row) => row.value !== null && row.players.some((player) => lit.includes(player));
  const anyInvolved = rows.some(involved);
  const stateOf = (row: Row, index: number) => {
    if (index === pointed || index === opened) return "lit";
    return anyInvolved && row.value !== null && !involved(row) ? "faint" : "plain";
  };
  const { picture, hands } = useMarks<Mark>({
    at: (part) => {
      const [row, player] = [dataAt(part, "row"), dataAt(part, "player")];
      return row === null ? null : { row: Number(row), player: player === null ? null : Number(player) };
    },
    point: (mark) => props.onPoint(mark?.row ?? null, mark?.player ?? null),
    choose: ({ row, player }) => props.onOpen(row, player),
    clear: props.onClear,
    key: (mark, { key }) => {
      if (mark === null) return false;
      const players = rows[mark.row]?.players ?? [];
      const hovered = players.findIndex((player) => overlaps(spans[player] ?? null, selection.hovered));
      const step = { ArrowUp: -1, ArrowDown: 1 }[key];
      const along = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (step !== undefined)
        return `[data-row="${Math.max(0, Math.min(rows.length - 1, mark.row + step))}"]`;
      if (along !== undefined) {
        const next = hovered < 0 && along < 0 ? players.length - 1 : hovered + along;
        props.onPoint(mark.row, players[(next + players.length) % players.length] ?? null);
      } else if (key === "Enter" || key === " ") props.onOpen(mark.row, players[hovered] ?? null);
      else return false;
      return true;
    },
  });
  return (
    <svg
      ref={picture}
      className="picture interactions-rows"
      width={frame.width}
      height={height}
      viewBox={`0 0 ${frame.width} ${height}`}
      role="group"
      aria-label={label}
      {...hands}
    >
      {headings.map(({ x, text }) => (
        <text key={text} x={x} y={10} className="quiet" fill={QUIET} fontSize={11} fontFamily={SANS}>
          {text}
        </text>
      ))}
      {rows.map((row, index) => (
        <BeamRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are ranks.
          key={index}
          row={index}
          y={HEADINGS + index * frame.rowHeight}
          height={frame.rowHeight}
          middle={frame.middle}
          width={frame.width}
          strip={frame.strip}
          players={row.players}
          spans={spans}
          alone={row.alone}
          value={row.value}
          domain={domain}
          numbers={numbers}
          name={row.name}
          focusable={index === (opened ?? 0)}
          state={stateOf(row, index)}
          lit={row.players.filter((player) => lit.includes(player)).join(",")}
          data={row.data}
        >
          {row.children}
        </BeamRow>
      ))}
    </svg>
  );
}
