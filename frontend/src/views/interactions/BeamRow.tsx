/**
 * One row of the picture: words of the sentence at their places, joined by a beam that has the colour of what they do
 * together, with something at either end of the row.
 *
 * A row carries `data-row`, `data-players`, `data-value` (what its words do together) and whatever its picture adds; a word
 * carries `data-span` and `data-value` (what it says alone), where there is such a number.
 */

import { memo, type ReactNode } from "react";
import { filled, INK, inked, LINE, QUIET, stroked } from "../../colour";
import { exactly, type Numbers, SANS } from "../../marks";
import { type Span, spanKey } from "../../spans";
import { placePills, type Strip, WORD_FACE } from "./strip";

const PILL = 24;
const THICKEST = 7;

export interface BeamRowProps {
  row: number;
  y: number;
  height: number;
  /** Where the middle of the words is, from the top of the row. */
  middle: number;
  width: number;
  strip: Strip;
  players: readonly number[];
  spans: readonly Span[];
  /** What each of the players says alone; null where that is not known. */
  alone: readonly (number | null)[];
  /** What they do together; null for a row without a beam. */
  value: number | null;
  domain: number;
  numbers: Numbers;
  name: string;
  focusable: boolean;
  state: "plain" | "lit" | "faint";
  /** Players that are pointed at or selected, as “3,5”: a text, so that rows are drawn again only when it changes. */
  lit: string;
  data: Record<`data-${string}`, string | number | undefined>;
  children: ReactNode;
}

export const BeamRow = memo(function BeamRow(props: BeamRowProps) {
  const { row, y, height, middle, width, strip, players, spans, alone, value, domain, numbers, state } =
    props;
  const pills = placePills(strip, players);
  const [first, last] = [pills[0], pills.at(-1)];
  const lit = new Set(props.lit.split(",").filter(Boolean).map(Number));
  return (
    <g
      className="beam-row"
      transform={`translate(0 ${y})`}
      role="button"
      tabIndex={props.focusable ? 0 : -1}
      aria-label={props.name}
      data-row={row}
      data-state={state}
      data-players={players.join(" ")}
      data-value={value === null ? undefined : exactly(value)}
      {...props.data}
    >
      <rect
        className="beam-ground"
        x={1}
        y={1}
        width={width - 2}
        height={height - 2}
        rx={8}
        fill="transparent"
      />
      {!strip.readable && (
        <line
          className="rule"
          x1={strip.left}
          x2={strip.left + strip.width}
          y1={middle}
          y2={middle}
          stroke={LINE}
        />
      )}
      <Dots strip={strip} middle={middle} />
      {value !== null && first && last && (
        <line
          x1={round(first.left + first.width / 2)}
          x2={round(last.left + last.width / 2)}
          y1={middle}
          y2={middle}
          strokeWidth={round(1.5 + (THICKEST * Math.abs(value)) / (domain || 1))}
          {...stroked(value)}
        />
      )}
      {pills.map((pill, place) => {
        const says = alone[place] ?? null;
        return (
          <g
            key={pill.player}
            className="beam-word"
            data-player={pill.player}
            data-span={spanKey(spans[pill.player] ?? [0, 0])}
            data-value={says === null ? undefined : exactly(says)}
          >
            <g className="chip">
              <rect
                x={round(pill.left)}
                y={middle - PILL / 2}
                width={round(pill.width)}
                height={PILL}
                rx={6}
                {...filled(says ?? 0, domain)}
              />
              <text
                x={round(pill.left + pill.width / 2)}
                y={middle}
                dy="0.35em"
                textAnchor="middle"
                fontSize={WORD_FACE.size}
                fontFamily={SANS}
                {...inked(says ?? 0, domain)}
              >
                {pill.text}
              </text>
            </g>
            {says !== null && value !== null && (
              <text
                className="quiet"
                x={round(pill.left + pill.width / 2)}
                y={middle + PILL / 2 + 12}
                textAnchor="middle"
                fontSize={10.5}
                fontFamily={SANS}
                fill={QUIET}
              >
                {numbers.signed(says)}
              </text>
            )}
            {lit.has(pill.player) && (
              <rect
                className="ring"
                data-lit="hovered"
                x={round(pill.left - 2)}
                y={middle - PILL / 2 - 2}
                width={round(pill.width + 4)}
                height={PILL + 4}
                rx={8}
                fill="none"
                stroke={INK}
                strokeWidth={1.6}
              />
            )}
          </g>
        );
      })}
      {props.children}
    </g>
  );
});

/** Where the other words are; never drawn again, whatever is pointed at. */
const Dots = memo(function Dots({ strip, middle }: { strip: Strip; middle: number }) {
  return strip.places.map((place, player) => (
    <circle
      // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place.
      key={player}
      className="beam-dot"
      cx={round(place.left + place.width / 2)}
      cy={middle}
      r={1.6}
      fill="#d5d1dd"
    />
  ));
});

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
