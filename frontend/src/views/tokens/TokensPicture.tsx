/**
 * Bars from what the model says of no words to what it says of the whole text, and the text as a heat map.
 *
 * Every bar and every word of the heat map carries `data-span` (words) and `data-value`; a bar whose value was drawn
 * at random carries `data-error` (its standard error). The ends carry `data-total` (start or end) and `data-value`. The
 * bar of a pair carries the words of the first in `data-span`, those of the second in `data-other`.
 */

import { useMemo, useState } from "react";
import { FAINT, LINE, QUIET, TRACK } from "../../colour";
import { dataAt, numbersLike, Ring, SANS, Stage, useMarks } from "../../marks";
import { type Selection, type Span, sameSpan, within, wordsOf } from "../../spans";
import type { ViewProps } from "../view";
import { Bar } from "./Bar";
import { HeatText } from "./HeatText";
import { type BarBlock, layoutTokens, TEXT_BLOCK, TEXT_LINE, type TokensLayout } from "./layout";
import { addsUp, scoresOf, type WordScores } from "./result";
import { canFold, type Order } from "./rows";
import { TokensControls } from "./TokensControls";
import { TokensReadout } from "./TokensReadout";
import "./tokens.css";

/** A bar, or a word of the text above, which has no row. */
type Mark = { row: string | null; span: Span | null };

const NOTHING = "Nothing is said of words, phrases or pairs: the numbers of this method are in the JSON.";

export function TokensPicture(props: ViewProps) {
  const scores = useMemo(() => scoresOf(props.explanation), [props.explanation]);
  const said = scores.words.length + scores.phrases.length + scores.pairs.length;
  return said === 0 ? <p className="tokens-note">{NOTHING}</p> : <Tokens {...props} scores={scores} />;
}

function Tokens({
  explanation,
  scores,
  selection,
  onHover,
  onSelect,
  domain,
  width,
}: ViewProps & { scores: WordScores }) {
  const [order, setOrder] = useState<Order>("size");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const layout = useMemo(
    () => layoutTokens(explanation, scores, width, order, open),
    [explanation, scores, width, order, open],
  );
  const { blocks } = layout;
  const options = blocks.flatMap((block) => block.rows.filter((row) => row.kind !== "total"));
  const reachable = options.some((row) => row.key === active) ? active : options[0]?.key;
  const pair = options.find((row) => row.key === pointed && row.kind === "pair") ?? null;

  const { picture, hands } = useMarks<Mark>({
    at: (part) => {
      const [start, end] = dataAt(part, "span")?.split("-").map(Number) ?? [];
      const span: Span | null = start === undefined || end === undefined ? null : [start, end];
      const row = dataAt(part, "row");
      return span === null && row === null ? null : { row, span };
    },
    point: (mark) => {
      setPointed(mark?.row ?? null);
      onHover(mark?.span ?? null);
    },
    choose: ({ row, span }) => {
      if (row === "others") setOpen(true);
      else onSelect(sameSpan(span, selection.selected) ? null : span);
    },
    clear: () => onSelect(null),
    enter: (mark) => {
      if (mark !== null) setActive(mark.row);
    },
    key: (mark, { key }) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
      const place = options.findIndex((row) => row.key === mark?.row);
      const next = key === "Home" ? 0 : key === "End" ? options.length - 1 : step && place + step;
      const row = next === undefined ? undefined : options[next];
      return row !== undefined && `[data-row="${row.key}"]`;
    },
  });

  return (
    <div className="view tokens-view">
      {scores.words.length > 1 && (
        <TokensControls
          order={order}
          onOrder={setOrder}
          open={canFold(scores) ? open : null}
          onOpen={setOpen}
          count={scores.words.length}
        />
      )}
      <Stage
        width={layout.width}
        height={layout.height}
        under={<Bands blocks={blocks} selection={selection} width={layout.width} />}
        over={<HeatRings {...{ explanation, layout, selection }} other={pair?.other ?? null} />}
        {...hands}
      >
        <svg
          ref={picture}
          className="picture"
          role="listbox"
          aria-label={LABELS[blocks[0]?.rows[0]?.kind ?? "word"] ?? LABELS.word}
          width={layout.width}
          height={layout.height}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          fontFamily={SANS}
        >
          <HeatText explanation={explanation} scores={scores} layout={layout} domain={domain} />
          {blocks.map((block) => (
            <g key={block.titleY}>
              <Frame block={block} chained={block.title === null && addsUp(scores)} />
              {block.rows.map((row) => (
                <Bar
                  key={row.key}
                  row={row}
                  labelX={block.labelX}
                  domain={domain}
                  selected={sameSpan(row.span, selection.selected) && row.span !== null}
                  reachable={row.key === reachable}
                />
              ))}
            </g>
          ))}
        </svg>
      </Stage>
      {scores.words.length > 0 && !addsUp(scores) && (
        <p className="tokens-note">{apart(explanation, scores)}</p>
      )}
      <TokensReadout
        explanation={explanation}
        scores={scores}
        selection={selection}
        numbers={layout.numbers}
        pair={pair}
      />
    </div>
  );
}

/** The line where bars begin, and from each bar's end to the next one's beginning. */
function Frame({ block, chained }: { block: BarBlock; chained: boolean }) {
  const joints = block.rows
    .slice(0, -1)
    .map((row) => `M${row.end.toFixed(1)} ${row.y + row.height - 5}v${10}`);
  return (
    <g aria-hidden="true">
      {block.title !== null && (
        <text className="quiet" x={block.labelX} y={block.titleY} textAnchor="end" fontSize={11} fill={QUIET}>
          {block.title}
        </text>
      )}
      <path
        className="rule"
        d={`M${block.originX.toFixed(1)} ${block.top}V${block.bottom}`}
        stroke={LINE}
        strokeDasharray={chained ? "2 3" : undefined}
      />
      {chained && <path className="token-joint" d={joints.join("")} stroke={FAINT} />}
    </g>
  );
}

/** Behind the rows that are pointed at or chosen. */
function Bands({
  blocks,
  selection,
  width,
}: {
  blocks: readonly BarBlock[];
  selection: Selection;
  width: number;
}) {
  const rows = blocks.flatMap((block) => block.rows);
  return (
    <>
      {(["selected", "hovered"] as const).flatMap((lit) =>
        rows
          .filter(({ span, other }) => [span, other].some((part) => part && lies(part, selection[lit])))
          .map((row) => (
            <rect
              key={`${lit} ${row.key}`}
              className="token-band"
              data-lit={lit}
              x={-6}
              y={row.y}
              width={width + 12}
              height={row.height}
              rx={5}
              fill={TRACK}
            />
          )),
      )}
    </>
  );
}

const lies = (part: Span, lit: Span | null): boolean => lit !== null && within(part, lit);

function HeatRings({
  explanation,
  layout,
  selection,
  other,
}: {
  explanation: ViewProps["explanation"];
  layout: TokensLayout;
  selection: Selection;
  /** The second of the pair that is pointed at. */
  other: Span | null;
}) {
  return (
    <>
      {(["selected", "hovered"] as const).flatMap((lit) =>
        layout.text.slots.flatMap((slot, player) => {
          const words = wordsOf(explanation, player, player + 1);
          if (!lies(words, selection[lit]) && !(lit === "hovered" && lies(words, other))) return [];
          const box = {
            x: slot.left,
            y: slot.line * TEXT_LINE,
            width: slot.right - slot.left,
            height: TEXT_BLOCK,
          };
          return [<Ring key={`${lit} ${slot.line} ${slot.left}`} lit={lit} box={box} radius={3} gap={0.5} />];
        }),
      )}
    </>
  );
}

const LABELS: Record<string, string> = {
  word: "Words and how far each moves the prediction",
  phrase: "Phrases and how far each moves the prediction",
  pair: "Pairs and what two do together beyond what they do apart",
};

/** The two ends, where the values do not lead from one to the other. */
function apart(explanation: ViewProps["explanation"], scores: WordScores): string {
  if (scores.ends === null) return "These values need not add up to anything.";
  const numbers = numbersLike(scores.words.map(({ score }) => score));
  const [none, all] = scores.ends.map((end) => numbers.plain(end));
  return `No ${explanation.player_kind}: ${none}; whole text: ${all}. These values need not add up to the difference.`;
}
