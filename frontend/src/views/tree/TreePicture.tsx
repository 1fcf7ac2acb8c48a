/**
 * The parse tree, phrases coloured by how much they add to the sum of their words (LS-Tree), words by their value.
 *
 * Every node carries `data-span` (words), `data-value` (a phrase's signed interaction, a word's LS-Tree value; none
 * for a root that was left out of the fit), `data-alone` (the value of its words with all others absent) and, if it is
 * a phrase, `data-absolute` (its absolute interaction).
 */

import { memo, useCallback, useEffect, useMemo, useState } from "react";
import { graded, share } from "../../colour";
import { dataAt, SANS, Stage, useMarks } from "../../marks";
import { type Span, sameSpan } from "../../spans";
import type { ViewProps } from "../view";
import {
  type Folded,
  NOTHING_FOLDED,
  parentsOf,
  phrasesUpTo,
  quietPhrases,
  quietSentences,
  shownInstead,
  toggled,
} from "./fold";
import { Lights } from "./Lights";
import { layoutTree, type PlacedNode, type TreeLayout } from "./layout";
import { neighbour } from "./moves";
import { layoutOutline } from "./outline";
import { Ruler } from "./Ruler";
import { type TreeResult, treeOf } from "./result";
import { TreeControls } from "./TreeControls";
import { TreeNode } from "./TreeNode";
import { TreeReadout } from "./TreeReadout";
import { useZoom } from "./useZoom";
import "./tree.css";

const RULER = 26;
/** Below this width a tree that does not fit is an outline, unless someone wants it otherwise. */
const NARROW = 480;

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
  const [folded, setFolded] = useState<Folded>(() => quietSentences(result));
  const [active, setActive] = useState(0);
  const [choice, setChoice] = useState<boolean | null>(null);
  const parents = useMemo(() => parentsOf(result), [result]);
  const quiet = useMemo(() => quietPhrases(result), [result]);
  const room = Math.max(120, width - RULER);
  const wall = useMemo(
    () => layoutTree(explanation, result, folded, room),
    [explanation, result, folded, room],
  );
  // Sentences side by side would be a wall with nothing but sentences in it.
  const outlined = choice ?? ((width < NARROW && wall.width > room) || hasSentences(explanation));
  const layout = useMemo(
    () => (outlined ? layoutOutline(explanation, result, folded, width) : wall),
    [outlined, wall, explanation, result, folded, width],
  );
  const { scroll, zoom, setZoom } = useZoom(layout.width, room);
  useShown(scroll, layout, zoom, selection.selected);
  // Nodes of another text mean nothing here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tree is the reason, not what is read.
  useEffect(() => {
    setFolded(quietSentences(result));
    setActive(0);
  }, [explanation.text, result.nodes.length]);

  const reachable = shownInstead(Math.min(active, result.nodes.length - 1), parents, folded);
  const fold = useCallback((index: number) => setFolded((now) => toggled(now, index)), []);
  const foldUpTo = useCallback(
    (height: number) => setFolded((now) => foldedUpTo(result, now, height)),
    [result],
  );
  const nodeAt = (part: Element): PlacedNode | null => {
    const index = dataAt(part, "node");
    return layout.nodes.find((node) => String(node.index) === index) ?? null;
  };
  const { picture, hands } = useMarks<PlacedNode>({
    at: nodeAt,
    point: (node) => onHover(node?.span ?? null),
    choose: (node, _, part) => {
      if (part.closest(".tree-handle")) fold(node.index);
      else onSelect(sameSpan(node.span, selection.selected) ? null : node.span);
    },
    clear: () => onSelect(null),
    enter: (node) => {
      if (node !== null) setActive(node.index);
    },
    key: (node, { key }) => {
      if (node === null || key === "Enter") return false;
      const unfolds = key === (outlined ? "ArrowRight" : "ArrowDown") && node.kind === "folded";
      if (unfolds || (key === " " && node.kind !== "word")) {
        fold(node.index);
        return true;
      }
      const next = neighbour(result, folded, layout.orientation, node.index, key);
      return next !== null && `[data-node="${next}"]`;
    },
  });

  return (
    <div className="view tree-view">
      <TreeControls
        quiet={quiet}
        folded={folded}
        onFold={setFolded}
        zoom={zoom}
        onZoom={setZoom}
        fit={Math.min(1, (outlined ? width : room) / layout.width)}
        outlined={outlined}
        onOutline={setChoice}
      />
      <div className={outlined ? "tree-outline" : "tree-wall"}>
        {!outlined && <Ruler layout={layout} zoom={zoom} onFold={foldUpTo} />}
        <div className="view-scroll" ref={scroll}>
          <Stage
            width={layout.width}
            height={layout.height}
            zoom={zoom}
            over={<Lights layout={layout} selection={selection} />}
            {...hands}
            onDoubleClick={(event) => {
              const node = nodeAt(event.target as Element);
              if (node !== null && node.kind !== "word") fold(node.index);
            }}
          >
            <svg
              ref={picture}
              className="picture"
              role="tree"
              aria-label="Parse tree with the interaction of every phrase"
              aria-orientation={layout.orientation}
              width={layout.width * zoom}
              height={layout.height * zoom}
              viewBox={`0 0 ${layout.width} ${layout.height}`}
              fontFamily={SANS}
            >
              <AllArms layout={layout} domain={domain} />
              {layout.nodes.map((node) => (
                <TreeNode
                  key={node.index}
                  node={node}
                  word={layout.word}
                  small={layout.small}
                  domain={domain}
                  selected={sameSpan(node.span, selection.selected)}
                  reachable={node.index === reachable}
                />
              ))}
            </svg>
          </Stage>
        </div>
      </div>
      <TreeReadout explanation={explanation} result={result} selection={selection} layout={layout} />
    </div>
  );
}

const hasSentences = ({ levels, player_kind }: ViewProps["explanation"]): boolean =>
  levels != null && ["sentences", "spans"].includes(player_kind);

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
