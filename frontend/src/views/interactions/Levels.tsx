/**
 * MAHE: a ladder of levels. The first row is what single words explain; each row below adds one interaction.
 *
 * A row carries `data-level`, `data-r2`, `data-r2-error`, `data-value` and `data-error` (the new term at the full text),
 * `data-apart` and `data-together` (what its words say one by one, and together).
 */

import { useMemo, useState } from "react";
import { INK, QUIET } from "../../colour";
import { targetClass } from "../../explanation";
import { exactly, KINDS, numbersLike, playerNames, SANS } from "../../marks";
import type { ViewProps } from "../view";
import { Amount, amountWidth } from "./Amount";
import { Cells } from "./Cells";
import { frameOf } from "./frame";
import { readLevels } from "./levels";
import { type Row, Rows } from "./Rows";
import type { LevelsExplanation } from "./result";
import { SentenceMap } from "./SentenceMap";
import { Share } from "./Share";
import { whoIsNamed } from "./strip";
import { R2, sayLevel, spansOf } from "./words";

const ERROR_ROOM = 66;

export function Levels(props: Omit<ViewProps, "explanation"> & { explanation: LevelsExplanation }) {
  const { explanation, selection, domain, width, onHover, onSelect } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const { result } = explanation;
  const levels = useMemo(() => readLevels(result), [result]);
  const numbers = useMemo(() => numbersLike([domain]), [domain]);
  const spans = useMemo(() => spansOf(explanation), [explanation]);
  const names = useMemo(() => playerNames(explanation), [explanation]);
  const right = amountWidth(numbers, domain) + ERROR_ROOM;
  const frame = useMemo(() => frameOf(names, width, right, true), [names, width, right]);
  const target = targetClass(explanation);

  const rows = useMemo(() => {
    const kind = `${KINDS[explanation.player_kind] ?? "word"}s`;
    return levels.map((reading): Row => {
      const { level, term, weights, index } = reading;
      const before = levels[index - 1]?.level.r2_held_out ?? 0;
      const players = term?.players ?? whoIsNamed(frame.strip, weights);
      const data = {
        "data-level": index,
        "data-r2": exactly(level.r2_held_out),
        "data-r2-error": exactly(level.r2_standard_error),
        "data-error": term ? exactly(term.standard_error) : undefined,
        "data-apart": term ? exactly(reading.apart) : undefined,
        "data-together": term ? exactly(reading.together) : undefined,
      };
      return {
        players,
        alone: players.map((player) => weights[player] ?? 0),
        value: term?.contribution ?? null,
        name: sayLevel(reading, before, names, kind, target, numbers),
        data,
        children: (
          <>
            <Share
              {...frame.left}
              value={level.r2_held_out}
              before={index ? before : 0}
              error={level.r2_standard_error}
              numbers={R2}
            />
            {term ? (
              <>
                <Amount
                  {...frame.right}
                  value={term.contribution}
                  error={term.standard_error}
                  domain={domain}
                  numbers={numbers}
                />
                <text
                  className="quiet"
                  {...(frame.strip.left > 0
                    ? { x: frame.right.x + 2, y: frame.right.y + 25 }
                    : { x: frame.right.x - 10, y: frame.right.y + 4, textAnchor: "end" })}
                  fontSize={10.5}
                  fontFamily={SANS}
                  fill={QUIET}
                >
                  {`${numbers.signed(reading.apart)} → `}
                  <tspan className="ink" fill={INK} fontWeight={600}>
                    {numbers.signed(reading.together)}
                  </tspan>
                </text>
              </>
            ) : (
              <>
                <text
                  className="quiet"
                  x={frame.right.x + 2}
                  y={frame.right.y}
                  dy="0.35em"
                  fontSize={12}
                  fontFamily={SANS}
                  fill={QUIET}
                >
                  {`${kind} alone`}
                </text>
                {!frame.strip.readable && (
                  <SentenceMap
                    strip={frame.strip}
                    spans={spans}
                    values={weights}
                    domain={domain}
                    middle={frame.middle}
                  />
                )}
              </>
            )}
          </>
        ),
      };
    });
  }, [levels, frame, names, spans, domain, numbers, target, explanation.player_kind]);

  const onPoint = (row: number | null, player: number | null) => {
    setPointed(row);
    onHover(player === null ? null : (spans[player] ?? null));
  };
  const onOpen = (row: number, player: number | null) => {
    setOpened(row === opened && player === null ? null : row);
    if (player !== null) onSelect(spans[player] ?? null);
  };
  const shown = levels[pointed ?? opened ?? -1];
  const open = levels[opened ?? -1];
  return (
    <div className="view interactions">
      <div className="view-scroll">
        <Rows
          label={`${levels.length} levels of an explanation, each with one interaction more`}
          frame={frame}
          rows={rows}
          headings={[
            { x: 0, text: "explains (R²)" },
            ...(frame.strip.left > 0
              ? [{ x: frame.strip.left, text: "words that are joined act together" }]
              : []),
            { x: frame.right.x + 2, text: "brings" },
          ]}
          spans={spans}
          selection={selection}
          domain={domain}
          numbers={numbers}
          pointed={pointed}
          opened={opened}
          onPoint={onPoint}
          onOpen={onOpen}
          onClear={() => {
            setOpened(null);
            onSelect(null);
          }}
        />
      </div>
      {open?.term && <Cells reading={open} names={names} domain={domain} numbers={numbers} />}
      <p className="readout" aria-live="polite">
        <span>
          {shown
            ? rows[shown.index]?.name
            : levels.length === 1 && result.ranking.length > 0
              ? "No interaction explains enough more: single words are the whole explanation."
              : "Under the words: what each says alone. At the end of a row: added up → together. Open a row for every combination."}
        </span>
      </p>
    </div>
  );
}
