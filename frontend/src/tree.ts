import type { Tree } from "./api";

/** How high each node stands above the words: a word is 0, any other node one more than its highest child. */
export function heights({ nodes }: Tree): number[] {
  const found = nodes.map(() => 0);
  // Parents come before their children, so the way back meets children first.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const children = nodes[index]?.children ?? [];
    if (children.length > 0) found[index] = 1 + Math.max(...children.map((child) => found[child] ?? 0));
  }
  return found;
}

/** The tree as linguists write it in a line: (S (NP The music) (VP is lovely)). */
export function brackets(tree: Tree): string {
  const parts: string[] = [];
  const open: number[] = [];
  for (const { start, end, labels, children } of tree.nodes) {
    while (open.length > 0 && (open.at(-1) ?? 0) <= start) {
      parts.push(")");
      open.pop();
    }
    if (children.length > 0) {
      parts.push(` (${labels.join("+")}`);
      open.push(end);
    } else {
      parts.push(` ${tree.words[start]?.text}`);
    }
  }
  return parts.join("").trim() + ")".repeat(open.length);
}
