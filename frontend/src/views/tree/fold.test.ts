import { expect, test } from "vitest";
import { NOTHING_FOLDED, quietSentences } from "./fold";
import type { TreeResult } from "./result";

/** Sentences of equally many words each, under a common root; the words of a sentence have its value. */
function text(values: readonly number[], words: number): TreeResult {
  const nodes = [node(0, values.length * words, ["TEXT"], [], 0)];
  values.forEach((value, place) => {
    const start = place * words;
    const sentence = nodes.length;
    nodes[0]?.children.push(sentence);
    const leaves = Array.from({ length: words }, (_, word) => sentence + 1 + word);
    nodes.push(node(start, start + words, ["S"], leaves, value));
    for (let word = start; word < start + words; word++) nodes.push(node(word, word + 1, ["NN"], [], value));
  });
  const word_values = values.flatMap((value) => Array.from({ length: words }, () => value));
  return { method: "ls-tree", exact: true, nodes, word_values, base: 0, full: 1 } as TreeResult;
}

const node = (start: number, end: number, labels: string[], children: number[], value: number) => ({
  start,
  end,
  labels,
  children,
  depth: end - start > 1 ? 2 : 1,
  value,
  signed: value,
  absolute: Math.abs(value),
});

test("of a long text the sentences that have nothing to tell are folded when it opens", () => {
  expect([...quietSentences(text([1, 0.01, -0.9, 0.02], 20))]).toEqual([22, 64]);
});

test("a short text opens as it is", () => {
  expect(quietSentences(text([1, 0.01], 10))).toBe(NOTHING_FOLDED);
});
