/** Rows over one sentence, with pointer and keyboard: up and down from row to row, left and right from word to word. */

import { type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
import { type Numbers, SANS } from "../../marks";
import { overlaps, type Selection, type Span } from "../view";
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

export function Rows(props: RowsProps) {
  const { label, frame, rows, headings, spans, selection, domain, numbers, pointed, opened } = props;
  const svg = useRef<SVGSVGElement>(null);
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
  const at = (target: EventTarget) => {
    const number = (name: "row" | "player") => {
      const found = (target as Element).closest<SVGElement>(`[data-${name}]`)?.dataset[name];
      return found === undefined ? null : Number(found);
    };
    return { row: number("row"), player: number("player") };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { row } = at(event.target);
    if (row === null) return;
    const players = rows[row]?.players ?? [];
    const hovered = players.findIndex((player) => overlaps(spans[player] ?? null, selection.hovered));
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined)
      svg.current
        ?.querySelector<SVGElement>(`[data-row="${Math.max(0, Math.min(rows.length - 1, row + step))}"]`)
        ?.focus();
    else if (along !== undefined) {
      const next = hovered < 0 && along < 0 ? players.length - 1 : hovered + along;
      props.onPoint(row, players[(next + players.length) % players.length] ?? null);
    } else if (event.key === "Enter" || event.key === " ") props.onOpen(row, players[hovered] ?? null);
    else if (event.key === "Escape") props.onClear();
    else return;
    event.preventDefault();
  };
  return (
    <svg
      ref={svg}
      className="picture interactions-rows"
      width={frame.width}
      height={height}
      viewBox={`0 0 ${frame.width} ${height}`}
      role="group"
      aria-label={label}
      onPointerOver={(event) => {
        const { row, player } = at(event.target);
        props.onPoint(row, player);
      }}
      onPointerLeave={() => props.onPoint(null, null)}
      onFocus={(event) => props.onPoint(at(event.target).row, null)}
      onBlur={() => props.onPoint(null, null)}
      onClick={(event) => {
        const { row, player } = at(event.target);
        if (row === null) props.onClear();
        else props.onOpen(row, player);
      }}
      onKeyDown={onKeyDown}
    >
      {headings.map(({ x, text }) => (
        <text key={text} x={x} y={10} className="quiet" fill="#625e6b" fontSize={11} fontFamily={SANS}>
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
