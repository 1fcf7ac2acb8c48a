/**
 * Archipelago: the sentence with what each island says, islands of several words, then the pairs that are furthest from
 * adding up.
 *
 * An island's row carries `data-island` and `data-value` (what it says with all others absent); a pair's row carries
 * `data-pair` (its rank), `data-value` (in the text), `data-alone` and `data-strength`.
 */

import { useMemo, useState } from "react";
import { QUIET, TRACK } from "../../colour";
import { Slider } from "../../controls/inputs";
import { targetClass } from "../../explanation";
import { exactly, numbersLike, playerNames, SANS } from "../../marks";
import type { ViewProps } from "../view";
import { Amount, amountWidth } from "./Amount";
import { frameOf } from "./frame";
import { type Row, Rows } from "./Rows";
import type { PairsExplanation } from "./result";
import { SentenceMap } from "./SentenceMap";
import { whoIsNamed } from "./strip";
import { sayIsland, sayPair, spansOf } from "./words";

const FEW = 6;
const MANY = 30;
const GAP = 12;

export function Pairs(props: Omit<ViewProps, "explanation"> & { explanation: PairsExplanation }) {
  const { explanation, selection, domain, width, onHover, onSelect } = props;
  const [count, setCount] = useState(FEW);
  const [pointed, setPointed] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const { pairs, islands } = explanation.result;
  const numbers = useMemo(() => numbersLike([domain]), [domain]);
  const spans = useMemo(() => spansOf(explanation), [explanation]);
  const names = useMemo(() => playerNames(explanation), [explanation]);
  const chip = amountWidth(numbers, domain);
  const right = 2 * chip + GAP;
  const frame = useMemo(() => frameOf(names, width, right, false), [names, width, right]);
  const target = targetClass(explanation);

  const rows = useMemo(() => {
    const { x, y } = frame.right;
    const label = (text: string, at = frame.left) => (
      <text className="quiet" x={at.x} y={at.y + 18} fontSize={12} fontFamily={SANS} fill={QUIET}>
        {text}
      </text>
    );
    const says = names.map(
      (_, player) => islands.find(({ players }) => players.includes(player))?.contribution ?? 0,
    );
    const named = whoIsNamed(frame.strip, says);
    const sentence: Row = {
      players: named,
      alone: named.map((player) => says[player] ?? 0),
      value: null,
      name: "The sentence: each word in the colour of what its island says with all others absent.",
      data: {},
      children: (
        <>
          {label("what islands say")}
          {!frame.strip.readable && (
            <SentenceMap
              strip={frame.strip}
              spans={spans}
              values={says}
              domain={domain}
              middle={frame.middle}
            />
          )}
        </>
      ),
    };
    const joined = islands
      .filter(({ players }) => players.length > 1)
      .map(
        ({ players, contribution }): Row => ({
          players,
          alone: players.map(() => null),
          value: contribution,
          name: sayIsland(players, contribution, names, target, numbers),
          data: { "data-island": players.join(" ") },
          children: (
            <>
              {label("an island")}
              <Amount
                x={x + chip + GAP}
                y={y}
                value={contribution}
                error={null}
                domain={domain}
                numbers={numbers}
              />
            </>
          ),
        }),
      );
    const strongest = Math.sqrt(pairs[0]?.strength ?? 0) || 1;
    const ranked = pairs.slice(0, count).map((pair, rank): Row => {
      const share = Math.sqrt(pair.strength) / strongest;
      return {
        players: pair.players,
        alone: pair.players.map(() => null),
        value: pair.in_full_text,
        name: sayPair(pair, names, target, numbers),
        data: {
          "data-pair": rank,
          "data-alone": exactly(pair.alone),
          "data-strength": exactly(pair.strength),
        },
        children: (
          <>
            {label(`pair ${rank + 1}`)}
            <rect
              className="share-track"
              x={frame.left.x}
              y={frame.left.y + 25}
              width={frame.left.width}
              height={6}
              rx={3}
              fill={TRACK}
            />
            <rect
              className="share-now"
              x={frame.left.x}
              y={frame.left.y + 25}
              width={frame.left.width * share}
              height={6}
              rx={3}
              fill="#4a4657"
            />
            <Amount x={x} y={y} value={pair.in_full_text} error={null} domain={domain} numbers={numbers} />
            <Amount
              x={x + chip + GAP}
              y={y}
              value={pair.alone}
              error={null}
              domain={domain}
              numbers={numbers}
            />
          </>
        ),
      };
    });
    return [sentence, ...joined, ...ranked];
  }, [pairs, islands, frame, names, spans, count, chip, domain, numbers, target]);

  const shown = rows[pointed ?? opened ?? -1];
  const most = Math.min(MANY, pairs.length);
  return (
    <div className="view interactions">
      <div className="view-controls">
        <Slider
          label="How many pairs"
          least={1}
          most={most}
          value={Math.min(count, most)}
          onChange={setCount}
        />
        <output>
          {Math.min(count, most)} of {pairs.length} pairs, strongest first
        </output>
      </div>
      <div className="view-scroll">
        <Rows
          label={`Islands of words, and the ${count} pairs that interact most`}
          frame={frame}
          rows={rows}
          headings={[
            { x: frame.right.x, text: "in the text" },
            { x: frame.right.x + chip + GAP, text: "alone" },
          ]}
          spans={spans}
          selection={selection}
          domain={domain}
          numbers={numbers}
          pointed={pointed}
          opened={opened}
          onPoint={(row, player) => {
            setPointed(row);
            onHover(player === null ? null : (spans[player] ?? null));
          }}
          onOpen={(row, player) => {
            setOpened(row);
            if (player !== null) onSelect(spans[player] ?? null);
          }}
          onClear={() => {
            setOpened(null);
            onSelect(null);
          }}
        />
      </div>
      <p className="readout" aria-live="polite">
        <span>
          {shown?.name ??
            "A pair's numbers: how far its words are from adding up, in the text and with all others absent."}
        </span>
      </p>
    </div>
  );
}
