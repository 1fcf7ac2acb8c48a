import { type Folded, parentsOf, shownInstead } from "./fold";
import type { TreeResult } from "./result";

/** The node that a key leads to, or null where it leads nowhere. */
export function neighbour(
  result: TreeResult,
  folded: Folded,
  orientation: "horizontal" | "vertical",
  index: number,
  key: string,
): number | null {
  const parents = parentsOf(result);
  const shown = (next: number | undefined) =>
    next === undefined ? null : shownInstead(next, parents, folded);
  const child = folded.has(index) ? undefined : result.nodes[index]?.children[0];
  if (key === "Home") return 0;
  if (key === "End") return shown(result.nodes.length - 1);
  if (orientation === "horizontal") {
    if (key === "ArrowUp") return parents[index] ?? null;
    if (key === "ArrowDown") return child ?? null;
    if (key === "ArrowRight") return sideways(result, parents, index, 1);
    return key === "ArrowLeft" ? sideways(result, parents, index, -1) : null;
  }
  if (key === "ArrowLeft") return parents[index] ?? null;
  if (key === "ArrowRight") return child ?? null;
  // Nodes come in the order of an outline: the line below is the next that is shown.
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  for (let next = index + step; step !== 0 && next >= 0 && next < result.nodes.length; next += step)
    if (shown(next) !== index) return shown(next);
  return null;
}

/** The sibling on that side; with none there, the parent's. */
function sideways(
  result: TreeResult,
  parents: readonly (number | null)[],
  index: number,
  step: number,
): number | null {
  for (let from = index; ; ) {
    const parent = parents[from] ?? null;
    if (parent === null) return null;
    const siblings = result.nodes[parent]?.children ?? [];
    const next = siblings[siblings.indexOf(from) + step];
    if (next !== undefined) return next;
    from = parent;
  }
}
