/** The graph with its controls: how many arrows, both directions, the matrix, and phrase against phrase. */

import { useCallback, useMemo, useState } from "react";
import { Button } from "../../controls/Button";
import { Select, Slider } from "../../controls/inputs";
import { targetClass } from "../../explanation";
import { numbersLike, textOf, textWidth } from "../../marks";
import type { Span } from "../../spans";
import type { ViewProps } from "../view";
import { Arcs } from "./Arcs";
import { type Arrow, arrowKey, type Graph, graphOf, reverse, tellingFew } from "./arrows";
import { placeWords } from "./layout";
import { Matrix, type Place } from "./Matrix";
import { Phrases } from "./Phrases";
import { type Sentence, sayArrow, sayCell, sayNode } from "./reading";
import { type GraphExplanation, isGraph, largest } from "./result";
import "./graph.css";

/** More arrows than this hide each other, and the matrix shows them better. */
const MOST_ARROWS = 120;

const LEAST_ARROWS = 3;

/** Arrows of the selected words that are shown beside the telling ones. */
const OF_SELECTED = 6;

export function Picture(props: ViewProps) {
  const { explanation } = props;
  return isGraph(explanation) ? <GraphPicture {...props} explanation={explanation} /> : null;
}

function GraphPicture(props: ViewProps & { explanation: GraphExplanation }) {
  const { explanation, selection, onHover, onSelect, onParameters, domain, width } = props;
  const graph = useMemo(() => graphOf(explanation), [explanation]);
  const target = targetClass(explanation);
  const most = useMemo(
    () => Math.max(...graph.measures.slice(0, 2).map(({ matrix }) => largest(matrix))),
    [graph],
  );
  const numbers = useMemo(() => numbersLike([most]), [most]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [bothWays, setBothWays] = useState(false);
  const [allWords, setAllWords] = useState(false);
  const [measureName, setMeasure] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [pinned, setPinned] = useState<string | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const [kept, setKept] = useState<Span | null>(null);

  const limit = Math.min(MOST_ARROWS, graph.clear);
  const few = useMemo(() => fewThatFit(graph, width), [graph, width]);
  const count = Math.min(limit, chosen ?? few);
  const { selected } = selection;
  const arrows = useMemo(() => shown(graph, count, bothWays, selected), [graph, count, bothWays, selected]);
  const measure = graph.measures.find(({ name }) => name === measureName);
  const arrowOf = (key: string | null) => arrows.find((arrow) => arrowKey(arrow) === key);
  const active = arrowOf(pointed) ?? (pointed === null ? arrowOf(pinned) : undefined);
  const spanOf = useCallback((node: number): Span | null => graph.nodes[node]?.span ?? null, [graph]);

  const onPoint = (key: string | null) => {
    if (key === pointed) return;
    setPointed(key);
    onHover(key === null ? null : spanOf(Number(key.split(">").at(-1))));
  };
  const onChoose = (key: string, extend: boolean) => {
    const span = spanOf(Number(key.split(">").at(-1)));
    setPinned(key.includes(">") ? key : null);
    if (span && extend && selected)
      onSelect([Math.min(span[0], selected[0]), Math.max(span[1], selected[1])]);
    else onSelect(span);
  };
  const onClear = () => {
    setPinned(null);
    onSelect(null);
  };
  const onPlace = (at: Place | null) => {
    if (at?.row === place?.row && at?.column === place?.column) return;
    setPlace(at);
    onHover(at && spanOf(at.column));
  };

  const said = measure
    ? place && sayCell(graph, measure, place.row, place.column, numbers)
    : active
      ? sayArrow(graph, active, numbers, target)
      : sayPointed(graph, pointed, (node) => sayNode(graph, node, numbers, target));
  const tooLong = useMemo(() => placeWords(graph.nodes, width, wordWidth).width > width, [graph, width]);
  const threshold = arrows.length > 0 ? strength(graph, graph.arrows[count - 1]) : 0;

  return (
    <div className="view graph">
      <div className="view-controls">
        <Button aria-pressed={!measure} onClick={() => setMeasure(null)}>
          Arrows
        </Button>
        <Button aria-pressed={!!measure} onClick={() => setMeasure(graph.measures[0]?.name ?? null)}>
          Matrix
        </Button>
        {measure ? (
          <Select
            aria-label="What the matrix shows"
            value={measure.name}
            options={graph.measures.map(({ name, title }) => ({ value: name, title }))}
            onChange={setMeasure}
          />
        ) : (
          limit > 0 && (
            <>
              <Slider
                label="How many arrows"
                said={`the ${count} strongest of ${graph.clear}`}
                least={1}
                most={limit}
                value={count}
                onChange={setChosen}
              />
              <output>
                {count} of {graph.clear} · {graph.published ? "arrow" : "change"} ≥ {numbers.plain(threshold)}
              </output>
              {!graph.published && (
                <Button aria-pressed={bothWays} onClick={() => setBothWays(!bothWays)}>
                  Both ways
                </Button>
              )}
              {tooLong && (
                <Button aria-pressed={allWords} onClick={() => setAllWords(!allWords)}>
                  All words
                </Button>
              )}
            </>
          )
        )}
        <span className="grow" />
        {onParameters && !graph.published && explanation.player_kind === "words" && (
          <Phrases
            asked={graph.asked !== null}
            kept={kept}
            selected={selected}
            textOf={(span) => textOf(explanation, span)}
            onKeep={setKept}
            onAsk={(groups) => {
              setKept(null);
              onParameters({ groups });
            }}
          />
        )}
      </div>
      <div className="view-scroll">
        {measure ? (
          <Matrix
            graph={graph}
            measure={measure}
            active={place}
            selection={selection}
            domain={domain}
            width={width}
            numbers={numbers}
            onPoint={onPlace}
            onChoose={(at) => onSelect(spanOf(at.column))}
            onClear={onClear}
          />
        ) : (
          <Arcs
            graph={graph}
            arrows={arrows}
            active={active ? arrowKey(active) : null}
            selection={selection}
            domain={domain}
            width={width}
            numbers={numbers}
            target={target}
            largest={most}
            allWords={allWords}
            onPoint={onPoint}
            onChoose={onChoose}
            onClear={onClear}
          />
        )}
      </div>
      <Said sentence={said} hint={hintOf(graph, measure?.says)} />
    </div>
  );
}

/** As many of the telling arrows as have words that fit into the width together, but never so few that little is told. */
function fewThatFit(graph: Graph, width: number): number {
  let count = tellingFew(graph);
  const fits = () => {
    const wanted = new Set(graph.arrows.slice(0, count).flatMap(({ given, adds }) => [given, adds]));
    return placeWords(graph.nodes, width, wordWidth, wanted).width <= width;
  };
  while (count > LEAST_ARROWS && !fits()) count--;
  return count;
}

function wordWidth(text: string, size: number): number {
  return textWidth(text, { size });
}

/** The strongest arrows, and the strongest of the selected words; with both directions, the way back of each. */
function shown(graph: Graph, count: number, bothWays: boolean, selected: Span | null): Arrow[] {
  const first = graph.arrows.slice(0, count);
  const touches = (node: number) => {
    const span = graph.nodes[node]?.span;
    return selected !== null && span !== undefined && span[0] < selected[1] && selected[0] < span[1];
  };
  const more = graph.arrows
    .slice(count, graph.clear)
    .filter(({ given, adds }) => touches(given) !== touches(adds))
    .slice(0, OF_SELECTED);
  const arrows = [...first, ...more];
  return bothWays && !graph.published ? arrows.flatMap((arrow) => [arrow, reverse(graph, arrow)]) : arrows;
}

function strength(graph: Graph, arrow: Arrow | undefined): number {
  return Math.abs((graph.published ? arrow?.value : arrow?.together) ?? 0);
}

function sayPointed(graph: Graph, key: string | null, say: (node: Graph["nodes"][number]) => Sentence) {
  const node = key === null ? undefined : graph.nodes[Number(key)];
  return node ? say(node) : null;
}

function hintOf(graph: Graph, says: string | undefined): string {
  if (says) return says;
  if (graph.clear === 0) return "No word clearly changes what another one adds: there is no arrow to draw.";
  return graph.published
    ? "Point at an arrow, or walk there with the arrow keys, to see what it is made of."
    : "Numbers on an arrow: what the word adds without the other → with it. Point at one to read it in words.";
}

function Said({ sentence, hint }: { sentence: Sentence | null; hint: string }) {
  return (
    <p className="readout" aria-live="polite">
      <span>
        {sentence
          ? sentence.map((part, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no other name.
              typeof part === "string" ? part : <strong key={index}>{part.number}</strong>,
            )
          : hint}
      </span>
    </p>
  );
}
