import { INK, PAPER, QUIET } from "../../colour";
import { Ring } from "../../marks";
import { type Selection, type Span, sameSpan } from "../../spans";
import type { PlacedNode, TreeLayout } from "./layout";

/** Rings around what is pointed at and chosen, and a line under its words. */
export function Lights({ layout, selection }: { layout: TreeLayout; selection: Selection }) {
  return (
    <>
      <Light layout={layout} span={selection.selected} lit="selected" />
      <Light layout={layout} span={selection.hovered} lit="hovered" />
    </>
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
          stroke={INK}
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
      <circle className="tree-handle-disc" cx={x} cy={y} r={6.5} fill={PAPER} stroke={QUIET} />
      <path
        className="quiet-line"
        d={`M${x - 3} ${y}h6${node.kind === "folded" ? "m-3 -3v6" : ""}`}
        stroke={QUIET}
        strokeWidth={1.4}
        fill="none"
      />
    </g>
  );
}
