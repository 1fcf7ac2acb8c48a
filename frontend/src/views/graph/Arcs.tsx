/**
 * The graph as arcs: words in reading order on a line, arrows to later words above it, arrows to earlier words below.
 *
 * A word carries `data-node`, `data-span`, `data-value` (Shapley value), `data-pagerank`; arrows say theirs in Arrow.tsx.
 */

import { memo, useMemo } from "react";
import { INK } from "../../colour";
import { Chip, dataAt, exactly, type Numbers, SANS, shortened, textWidth, useMarks } from "../../marks";
import { overlaps, type Selection, type Span, sameSpan, spanKey } from "../../spans";
import { ArrowLabel, ArrowMark, LABEL_FACE, labelOf } from "./Arrow";
import { type Arrow, arrowKey, type Graph, type Node } from "./arrows";
import { type Box, type Course, placeArrows, placeWords } from "./layout";
import { nextMark } from "./moves";
import { plain, sayArrow, sayNode } from "./reading";

const LABEL_ROOM = 22;
/** Characters of a name at least, and pixels that one takes with the room around the name. */
const LEAST_NAME = 14;
const LETTER = 8.5;

export interface ArcsProps {
  graph: Graph;
  arrows: readonly Arrow[];
  /** The arrow pointed at or pinned. */
  active: string | null;
  selection: Selection;
  domain: number;
  width: number;
  numbers: Numbers;
  target: string;
  /** Whether to write all words out, even where they do not fit. */
  allWords: boolean;
  /** The largest number an arrow can have: what the widest stroke stands for. */
  largest: number;
  onPoint(key: string | null): void;
  onChoose(key: string, extend: boolean): void;
  onClear(): void;
}

export function Arcs(props: ArcsProps) {
  const { graph, arrows, active, selection, domain, width, numbers, target, largest, allWords } = props;
  const { selected } = selection;
  // Sentences and phrases have as much of the line as is theirs; what they are in full, the readout says.
  const nodes = useMemo(() => {
    const needed = graph.nodes.reduce((sum, { text }) => sum + textWidth(text, { size: 12.5 }) + 13, 0);
    if (needed <= width) return graph.nodes;
    const share = Math.max(LEAST_NAME, Math.floor(width / graph.nodes.length / LETTER));
    return graph.nodes.map((node) =>
      /\s/.test(node.text) ? { ...node, text: shortened(node.text, share) } : node,
    );
  }, [graph, width]);
  const line = useMemo(() => {
    const wanted = allWords
      ? undefined
      : new Set([
          ...arrows.flatMap(({ given, adds }) => [given, adds]),
          ...graph.nodes.filter(({ span }) => overlaps(span, selected)).map(({ index }) => index),
        ]);
    return placeWords(nodes, width, (text, size) => textWidth(text, { size }), wanted);
  }, [graph, nodes, arrows, selected, allWords, width]);
  const { courses, above, below } = useMemo(
    () => placeArrows(arrows, line, (arrow) => textWidth(labelOf(arrow, numbers), LABEL_FACE)),
    [arrows, line, numbers],
  );
  const names = useMemo(() => {
    const said = (arrow: Arrow) => plain(sayArrow(graph, arrow, numbers, target));
    return new Map(arrows.map((arrow) => [arrowKey(arrow), said(arrow)]));
  }, [graph, arrows, numbers, target]);
  const wordNames = useMemo(
    () => graph.nodes.map((node) => plain(sayNode(graph, node, numbers, target))),
    [graph, numbers, target],
  );
  const middle = (above ? above + LABEL_ROOM : 4) + line.height / 2;
  const height = middle + line.height / 2 + (below ? below + LABEL_ROOM : 4);
  const edge = (node: number, up: boolean) =>
    middle + ((up ? -1 : 1) * (line.boxes[node]?.height ?? 0)) / 2 + (up ? -2 : 2);
  const touched = (span: Span) => overlaps(span, selection.hovered) || overlaps(span, selection.selected);
  const spanOf = (node: number): Span => graph.nodes[node]?.span ?? [0, 0];

  const { picture, hands } = useMarks<string>({
    at: (part) => dataAt(part, "key"),
    point: props.onPoint,
    choose: props.onChoose,
    clear: props.onClear,
    key: (mark, { key, shiftKey }) => {
      const next = mark === null ? null : nextMark(mark, key, graph.nodes.length, courses);
      if (next === null) return false;
      if (shiftKey && !next.includes(">")) props.onChoose(next, true);
      return `[data-key="${next}"]`;
    },
  });
  const touches = ({ arrow }: Course) => touched(spanOf(arrow.given)) || touched(spanOf(arrow.adds));
  // Arrows step back for others, not for a word that has none.
  const anything = active !== null || courses.some(touches);
  const drawn = courses.map((course) => {
    const key = arrowKey(course.arrow);
    const { given, adds } = course.arrow;
    const lit = active === null ? touches(course) : active === key;
    const state: "plain" | "lit" | "faint" = lit ? "lit" : anything ? "faint" : "plain";
    const [startY, endY] = [edge(given, course.above), edge(adds, course.above)];
    return {
      key,
      course,
      startY,
      endY,
      largest,
      numbers,
      state,
      name: names.get(key) ?? "",
      span: spanOf(adds),
    };
  });
  const firstNode = graph.nodes.find((node) => sameSpan(node.span, selection.selected))?.index ?? 0;

  return (
    <svg
      ref={picture}
      className="picture graph-arcs"
      width={line.width}
      height={height}
      viewBox={`0 0 ${line.width} ${height}`}
      role="group"
      aria-label={`Graph of ${graph.nodes.length} words in reading order with ${arrows.length} arrows`}
      {...hands}
    >
      {drawn.map(({ key, name, span, ...mark }) => (
        <ArrowMark key={key} {...mark} name={name} span={span} />
      ))}
      {drawn.map(
        ({ key, name: _, span: __, ...mark }) =>
          (mark.course.labelled || mark.state === "lit") && (
            <ArrowLabel key={key} {...mark} numbers={numbers} />
          ),
      )}
      {nodes.map((node, index) => {
        const box = line.boxes[index];
        const ends = active?.split(">").map(Number);
        return (
          box && (
            <WordMark
              key={node.index}
              node={node}
              box={box}
              middle={middle}
              domain={domain}
              name={wordNames[index] ?? ""}
              lit={
                overlaps(node.span, selection.selected)
                  ? "selected"
                  : overlaps(node.span, selection.hovered) || ends?.includes(index)
                    ? "hovered"
                    : undefined
              }
              asked={graph.asked?.includes(index) ?? false}
              focusable={index === firstNode}
            />
          )
        );
      })}
    </svg>
  );
}

interface WordMarkProps {
  node: Node;
  box: Box;
  middle: number;
  domain: number;
  name: string;
  lit: "hovered" | "selected" | undefined;
  asked: boolean;
  focusable: boolean;
}

const WordMark = memo(function WordMark({
  node,
  box,
  middle,
  domain,
  name,
  lit,
  asked,
  focusable,
}: WordMarkProps) {
  const place = { x: box.left, y: middle - box.height / 2, width: box.width, height: box.height };
  return (
    <g
      className="graph-word"
      role="button"
      tabIndex={focusable ? 0 : -1}
      aria-label={name}
      aria-pressed={lit === "selected"}
      data-key={node.index}
      data-node={node.index}
      data-span={spanKey(node.span)}
      data-value={node.value === null ? undefined : exactly(node.value)}
      data-error={node.error === null ? undefined : exactly(node.error)}
      data-pagerank={exactly(node.pagerank)}
      data-asked={asked || undefined}
      data-hinted={box.hinted || undefined}
    >
      <Chip
        {...place}
        text={box.hinted ? "" : node.text}
        value={node.value ?? 0}
        domain={domain}
        face={{ size: Math.round(box.size * 10) / 10, family: SANS }}
        radius={box.hinted ? 3 : 6}
      />
      {lit && (
        <rect
          className="ring"
          data-lit={lit}
          x={place.x - 2}
          y={place.y - 2}
          width={place.width + 4}
          height={place.height + 4}
          rx={8}
          fill="none"
          stroke={INK}
          strokeWidth={1.6}
        />
      )}
    </g>
  );
});
