import { memo } from "react";
import { FAINT, PAPER, QUIET } from "../../colour";
import { Chip, exactly, type Face } from "../../marks";
import { spanKey } from "../../spans";
import type { PlacedNode } from "./layout";
import { SCORE } from "./visible";

type Props = {
  node: PlacedNode;
  word: Face;
  small: Face;
  domain: number;
  selected: boolean;
  reachable: boolean;
};

/** One phrase or word: a pill with its interaction and label, or a block with the word and its value below. */
export const TreeNode = memo(function TreeNode({ node, word, small, domain, selected, reachable }: Props) {
  const { kind, x, y, width, height, score } = node;
  const [left, top] = [x - width / 2, y - height / 2];
  return (
    <g
      role="treeitem"
      aria-label={spoken(node)}
      aria-level={node.level}
      aria-posinset={node.place}
      aria-setsize={node.siblings}
      aria-selected={selected}
      aria-expanded={kind === "word" ? undefined : kind === "phrase"}
      tabIndex={reachable ? 0 : -1}
      className={`tree-node tree-${kind}`}
      data-node={node.index}
      data-span={spanKey(node.span)}
      data-value={score === null ? undefined : exactly(score)}
      data-alone={exactly(node.value)}
      data-absolute={kind === "word" || node.absolute === null ? undefined : exactly(node.absolute)}
    >
      <g aria-hidden="true">
        {kind === "folded" && (
          <rect
            className="tree-behind"
            x={left + 3}
            y={top + 3}
            width={width}
            height={height}
            rx={5}
            fill={PAPER}
            stroke={FAINT}
          />
        )}
        <Chip
          x={left}
          y={top}
          width={width}
          height={height}
          text={node.text}
          value={score ?? 0}
          domain={domain}
          face={kind === "phrase" ? SCORE : word}
          radius={kind === "phrase" ? height / 2 : 5}
        />
        <text
          className="quiet"
          x={node.note.x}
          y={node.note.y}
          dy="0.35em"
          textAnchor={node.note.anchor}
          fontSize={small.size}
          fill={QUIET}
        >
          {node.note.text}
        </text>
      </g>
    </g>
  );
});

/** Begins with what is seen; a phrase's words follow. */
function spoken({ kind, text, note, phrase }: PlacedNode): string {
  const seen = `${text} ${note.text}`;
  if (kind === "word") return seen;
  return `${seen}: ${phrase}${kind === "folded" ? ", folded" : ""}`;
}
