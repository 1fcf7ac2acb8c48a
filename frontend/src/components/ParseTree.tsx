import type { Tree } from "../api";
import { brackets, heights } from "../tree";

/**
 * The parse as brackets over the sentence: the words stand in one row, and every phrase is a bracket above its words.
 * A grid column for each word lets the browser find the widths.
 */
export function ParseTree({ tree }: { tree: Tree }) {
  const height = heights(tree);
  const rows = (height[0] ?? 0) + 1;
  return (
    <figure className="parse">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="scroll" tabIndex={0} aria-label="Parse tree">
        <div className="grid" aria-hidden="true">
          {tree.nodes.map((node, index) => (
            <div
              key={`${node.start}-${node.end}`}
              className={node.children.length > 0 ? "phrase" : "word"}
              data-start={node.start}
              data-end={node.end}
              style={{
                gridColumn: `${node.start + 1} / ${node.end + 1}`,
                gridRow: rows - (height[index] ?? 0),
              }}
            >
              <span>{node.children.length > 0 ? node.labels.join(" ") : tree.words[node.start]?.text}</span>
            </div>
          ))}
        </div>
        <p className="unseen">{brackets(tree)}</p>
      </section>
    </figure>
  );
}
