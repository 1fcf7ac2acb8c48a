/**
 * The parse tree, phrases coloured by how much they add to the sum of their words (LS-Tree), words by their value.
 *
 * Every node carries `data-span` (words), `data-value` (a phrase's signed interaction, a word's LS-Tree value; none
 * for a root that was left out of the fit), `data-alone` (the value of its words with all others absent) and, if it is
 * a phrase, `data-absolute` (its absolute interaction).
 */
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { graded, share } from "../../colour";
import type { Explanation } from "../../explanation";
import { numbersLike, Readout, Ring, SANS, textOf } from "../../marks";
import { type Selection, type Span, sameSpan, type ViewProps } from "../view";
import {
  type Folded,
  NOTHING_FOLDED,
  parentsOf,
  phrasesUpTo,
  quietPhrases,
  shownInstead,
  toggled,
} from "./fold";
import { layoutTree, neighbour, type PlacedNode, type TreeLayout } from "./layout";
import { type TreeResult, treeOf } from "./result";
import { TreeControls } from "./TreeControls";
import { TreeNode } from "./TreeNode";
import { useZoom } from "./useZoom";
import "./tree.css";

const RULER = 26;

export function TreePicture(props: ViewProps) {
  const result = treeOf(props.explanation);
  return result === null ? null : <Tree {...props} result={result} />;
}

function Tree({
  explanation,
  result,
  selection,
  onHover,
  onSelect,
  domain,
  width,
}: ViewProps & { result: TreeResult }) {
  const [folded, setFolded] = useState<Folded>(NOTHING_FOLDED);
  const [active, setActive] = useState(0);
  const picture = useRef<SVGSVGElement>(null);
  const parents = useMemo(() => parentsOf(result), [result]);
  const quiet = useMemo(() => quietPhrases(result), [result]);
  const room = Math.max(120, width - RULER);
  const layout = useMemo(
    () => layoutTree(explanation, result, folded, room),
    [explanation, result, folded, room],
  );
  const { scroll, zoom, setZoom } = useZoom(layout.width, room);
  useShown(scroll, layout, zoom, selection.selected);
  // Nodes of another text mean nothing here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tree is the reason, not what is read.
  useEffect(() => {
    setFolded(NOTHING_FOLDED);
    setActive(0);
  }, [explanation.text, result.nodes.length]);

  const reachable = shownInstead(Math.min(active, result.nodes.length - 1), parents, folded);
  const fold = useCallback((index: number) => setFolded((now) => toggled(now, index)), []);
  const nodeAt = (target: EventTarget | null): PlacedNode | undefined => {
    const index = target instanceof Element ? target.closest("[data-node]")?.getAttribute("data-node") : null;
    return layout.nodes.find((node) => String(node.index) === index);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const node = nodeAt(event.target);
    if (node === undefined) return;
    if (event.key === "Enter") onSelect(node.span);
    else if (event.key === "Escape") onSelect(null);
    else if (event.key === " " && node.kind !== "word") fold(node.index);
    else if (event.key === "ArrowDown" && node.kind === "folded") fold(node.index);
    else {
      const next = neighbour(result, folded, node.index, event.key);
      if (next === null) return;
      const shown = shownInstead(next, parents, folded);
      setActive(shown);
      picture.current?.querySelector<SVGElement>(`[data-node="${shown}"]`)?.focus();
    }
    event.preventDefault();
  };

  return (
    <div className="view tree-view">
      <TreeControls
        quiet={quiet}
        folded={folded}
        onFold={setFolded}
        zoom={zoom}
        onZoom={setZoom}
        fit={Math.min(1, room / layout.width)}
      />
      <div className="tree-wall">
        <Ruler
          layout={layout}
          zoom={zoom}
          onFold={(height) => setFolded((now) => foldedUpTo(result, now, height))}
        />
        <div className="view-scroll" ref={scroll}>
          <svg
            ref={picture}
            className="picture"
            role="tree"
            aria-label="Parse tree with the interaction of every phrase"
            aria-orientation="horizontal"
            width={layout.width * zoom}
            height={layout.height * zoom}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            fontFamily={SANS}
            onPointerOver={(event) => {
              const node = nodeAt(event.target);
              if (event.pointerType !== "touch") onHover(node?.span ?? null);
            }}
            onPointerLeave={() => onHover(null)}
            onFocus={(event) => {
              const node = nodeAt(event.target);
              if (node === undefined) return;
              setActive(node.index);
              onHover(node.span);
            }}
            onBlur={() => onHover(null)}
            onClick={(event) => {
              const node = nodeAt(event.target);
              if (node === undefined) return onSelect(null);
              if (event.target instanceof Element && event.target.closest(".tree-handle"))
                return fold(node.index);
              onSelect(sameSpan(node.span, selection.selected) ? null : node.span);
            }}
            onDoubleClick={(event) => {
              const node = nodeAt(event.target);
              if (node !== undefined && node.kind !== "word") fold(node.index);
            }}
            onKeyDown={onKeyDown}
          >
            <AllArms layout={layout} domain={domain} />
            {layout.nodes.map((node) => (
              <TreeNode
                key={node.index}
                node={node}
                domain={domain}
                selected={sameSpan(node.span, selection.selected)}
                reachable={node.index === reachable}
              />
            ))}
            <Lights layout={layout} selection={selection} />
          </svg>
        </div>
      </div>
      <TreeReadout explanation={explanation} result={result} selection={selection} layout={layout} />
    </div>
  );
}

const AllArms = memo(function AllArms({ layout, domain }: { layout: TreeLayout; domain: number }) {
  return (
    <g aria-hidden="true" fill="none">
      {layout.arms.map(({ index, score, course }) => (
        <path
          key={index}
          d={course}
          strokeWidth={Math.round((1.2 + 1.1 * Math.abs(share(score ?? 0, domain))) * 10) / 10}
          {...graded(score ?? 0, domain)}
        />
      ))}
    </g>
  );
});

/** Rings around what is pointed at and chosen, and a line under its words. */
function Lights({ layout, selection }: { layout: TreeLayout; selection: Selection }) {
  return (
    <g aria-hidden="true">
      <Light layout={layout} span={selection.selected} lit="selected" />
      <Light layout={layout} span={selection.hovered} lit="hovered" />
    </g>
  );
}

function Light({
  layout,
  span,
  lit,
}: {
  layout: TreeLayout;
  span: Span | null;
  lit: "hovered" | "selected";
}) {
  if (span === null) return null;
  const node = layout.nodes.find((each) => sameSpan(each.span, span));
  const words = layout.ground.filter((word) => word.span[0] < span[1] && span[0] < word.span[1]);
  return (
    <>
      {linesUnder(words).map(({ left, right, y }) => (
        <path
          key={`${left} ${y}`}
          className="ring"
          data-lit={lit}
          d={`M${left} ${y}H${right}`}
          stroke="#1d1b22"
        />
      ))}
      {node && (
        <Ring
          lit={lit}
          box={{
            x: node.x - node.width / 2,
            y: node.y - node.height / 2,
            width: node.width,
            height: node.height,
          }}
          radius={node.kind === "phrase" ? node.height / 2 : 6}
        />
      )}
      {node && node.kind !== "word" && <Handle node={node} />}
    </>
  );
}

/** One line for each row of words that the span lies on. */
function linesUnder(words: TreeLayout["ground"]): { left: number; right: number; y: number }[] {
  const lines = new Map<number, { left: number; right: number; y: number }>();
  for (const { left, right, y } of words) {
    const line = lines.get(y);
    if (line === undefined) lines.set(y, { left, right, y });
    else line.right = right;
  }
  return [...lines.values()];
}

/** Folds a phrase, or opens it again, by pointer. */
function Handle({ node }: { node: PlacedNode }) {
  const [x, y] = [node.x - node.width / 2 - 9, node.y];
  return (
    <g className="tree-handle" data-node={node.index}>
      <circle cx={x} cy={y} r={11} fill="transparent" />
      <circle className="tree-handle-disc" cx={x} cy={y} r={6.5} fill="#ffffff" stroke="#625e6b" />
      <path
        className="quiet-line"
        d={`M${x - 3} ${y}h6${node.kind === "folded" ? "m-3 -3v6" : ""}`}
        stroke="#625e6b"
        strokeWidth={1.4}
        fill="none"
      />
    </g>
  );
}

/** Heights above the words; pressing one folds everything up to there. */
const Ruler = memo(function Ruler({
  layout,
  zoom,
  onFold,
}: {
  layout: TreeLayout;
  zoom: number;
  onFold(height: number): void;
}) {
  return (
    <div className="tree-ruler">
      {layout.rows.map(({ height, y }) => (
        <button
          key={`${height} ${y}`}
          type="button"
          style={{ insetBlockStart: y * zoom }}
          aria-label={height === 1 ? "Open all phrases" : `Fold phrases up to height ${height}`}
          title={height === 1 ? "Open all phrases" : `Fold phrases up to height ${height}`}
          onClick={() => onFold(height)}
        >
          {height}
        </button>
      ))}
    </div>
  );
});

function TreeReadout({
  explanation,
  result,
  selection,
  layout,
}: {
  explanation: Explanation;
  result: TreeResult;
  selection: Selection;
  layout: TreeLayout;
}) {
  const span = selection.hovered ?? selection.selected;
  const numbers = useMemo(() => numbersLike(result.nodes.map((node) => node.value)), [result]);
  const node = span && layout.nodes.find((each) => sameSpan(each.span, span));
  const facts = [];
  if (node?.kind === "word") facts.push({ name: "value", value: node.number });
  else if (node) {
    facts.push({ name: `${node.label || "phrase"} interaction`, value: node.number });
    if (node.absolute !== null) facts.push({ name: "absolute", value: numbers.plain(node.absolute) });
  } else if (span)
    facts.push({
      name: "no phrase of this tree; values of its words",
      value: numbers.signed(sumOver(explanation, result, span)),
    });
  if (node) facts.push({ name: "alone", value: numbers.signed(node.value) });
  return (
    <Readout
      subject={span && textOf(explanation, span)}
      facts={facts}
      hint="Point at a phrase or word for its numbers; space or a double click folds a phrase."
    />
  );
}

function sumOver(explanation: Explanation, result: TreeResult, [start, end]: Span): number {
  return explanation.players.reduce(
    (sum, player, index) =>
      player.start >= start && player.end <= end ? sum + (result.word_values[index] ?? 0) : sum,
    0,
  );
}

function foldedUpTo(result: TreeResult, now: Folded, height: number): Folded {
  const next = phrasesUpTo(result, height);
  const same = next.size === now.size && [...next].every((index) => now.has(index));
  return same ? NOTHING_FOLDED : next;
}

/** Brings chosen words into sight when they were chosen elsewhere. */
function useShown(
  scroll: React.RefObject<HTMLDivElement | null>,
  layout: TreeLayout,
  zoom: number,
  selected: Span | null,
) {
  useEffect(() => {
    const area = scroll.current;
    if (area === null || selected === null) return;
    const words = layout.ground.filter(({ span }) => span[0] < selected[1] && selected[0] < span[1]);
    const [first, last] = [words[0], words.at(-1)];
    if (first === undefined || last === undefined || layout.width * zoom <= area.clientWidth) return;
    const [left, right] = [first.left * zoom, last.right * zoom];
    if (left >= area.scrollLeft && right <= area.scrollLeft + area.clientWidth) return;
    area.scrollTo({ left: (left + right - area.clientWidth) / 2, behavior: "smooth" });
  }, [scroll, layout, zoom, selected]);
}
