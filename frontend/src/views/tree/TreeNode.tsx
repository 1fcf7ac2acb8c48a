import { memo } from "react";
import { Chip, exactly, spanKey } from "../../marks";
import { type PlacedNode, SCORE, SMALL, WORD } from "./layout";

type Props = { node: PlacedNode; domain: number; selected: boolean; reachable: boolean };

/** One phrase or word: a pill with its interaction and label, or a block with the word and its value below. */
export const TreeNode = memo(function TreeNode({ node, domain, selected, reachable }: Props) {
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
      {kind === "folded" && (
        <rect
          className="tree-behind"
          x={left + 3}
          y={top + 3}
          width={width}
          height={height}
          rx={5}
          fill="#ffffff"
          stroke="#a8a3b3"
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
        face={kind === "phrase" ? SCORE : WORD}
        radius={kind === "phrase" ? height / 2 : 5}
      />
      {kind === "phrase" ? (
        <text className="quiet" x={left + width + 5} y={y} dy="0.35em" fontSize={10.5} fill="#625e6b">
          {node.label}
        </text>
      ) : (
        <text
          className="quiet"
          x={x}
          y={top + height + 15}
          textAnchor="middle"
          fontSize={SMALL.size}
          fill="#625e6b"
        >
          {node.number}
        </text>
      )}
    </g>
  );
});

function spoken({ kind, phrase, label, number }: PlacedNode): string {
  if (kind === "word") return `${phrase}: ${number}`;
  return `${label || "phrase"} ${phrase}: interaction ${number}${kind === "folded" ? ", folded" : ""}`;
}
