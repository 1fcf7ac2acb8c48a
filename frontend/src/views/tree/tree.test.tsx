// @vitest-environment happy-dom

import { fireEvent } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../../spans";
import { drawn, fixture, marksIn, numberIn, svgOf } from "../fixtures/drawing";
import { NOTHING_FOLDED, quietPhrases } from "./fold";
import tree from "./index";
import { layoutTree } from "./layout";
import { layoutOutline } from "./outline";
import { treeOf } from "./result";

const FIXTURES = ["short", "twenty", "sixty", "scripts", "one-word", "sentences"].map(
  (name) => `ls-tree-${name}`,
);

function resultOf(name: string) {
  const result = treeOf(fixture(name));
  if (result === null) throw new Error(`not a tree: got ${name}`);
  return result;
}

test.each([
  ["short", 1200],
  ["scripts", 620],
  ["sentences", 620],
  ["short", 350],
] as const)("%s looks as before at %i pixels", async (name, width) => {
  await expect(svgOf(tree, fixture(`ls-tree-${name}`), width)).toMatchFileSnapshot(
    `snapshots/${name}-${width}.svg`,
  );
});

test.each(FIXTURES)("every number in the picture of %s is the result's own", (name) => {
  const explanation = fixture(name);
  const result = resultOf(name);
  const marks = marksIn(svgOf(tree, explanation, 620), "node");
  expect(marks).toHaveLength(result.nodes.length);
  for (const mark of marks) {
    const node = result.nodes[Number(mark.node)];
    if (node === undefined) throw new Error("a mark without a node");
    const isLeaf = node.children.length === 0;
    expect(Number(mark.value)).toBe(isLeaf ? result.word_values[node.start] : node.signed);
    expect(Number(mark.alone)).toBe(node.value);
    expect(mark.absolute).toBe(isLeaf ? undefined : String(node.absolute));
    expect(mark.span).toBe(wordsOf(explanation, node.start, node.end).join("-"));
  }
});

describe.each(FIXTURES)("the layout of %s", (name) => {
  test.each([350, 620, 1200])("keeps words in reading order and nodes apart at %i pixels", (width) => {
    const { nodes, height, ...layout } = layoutTree(fixture(name), resultOf(name), NOTHING_FOLDED, width);
    const clashes: string[] = [];
    for (const [place, one] of nodes.entries()) {
      const inside = one.x - one.width / 2 >= -0.01 && one.x + one.width / 2 <= layout.width + 0.01;
      if (!inside || one.y + one.height / 2 > height) clashes.push(`${one.phrase} is outside`);
      for (const other of nodes.slice(place + 1)) {
        const apart =
          Math.abs(one.x - other.x) >= (one.width + other.width) / 2 - 0.01 ||
          Math.abs(one.y - other.y) >= (one.height + other.height) / 2 - 0.01;
        if (!apart) clashes.push(`${one.phrase} meets ${other.phrase}`);
      }
    }
    expect(clashes).toEqual([]);
    const words = nodes.filter((node) => node.kind === "word");
    expect(words.map((word) => word.index)).toEqual(
      [...words].sort((a, b) => a.y - b.y || a.x - b.x).map((word) => word.index),
    );
  });
});

test("folding a phrase hides its inside and leaves its numbers", () => {
  const { all, one, container } = drawn(tree, fixture("ls-tree-short"), 1200);
  const phrase = one(".tree-phrase[data-span='0-2']");
  const [value, count] = [numberIn(phrase), all(".tree-node").length];
  fireEvent.keyDown(phrase, { key: " " });
  const folded = one(".tree-folded[data-span='0-2']");
  expect(numberIn(folded)).toBe(value);
  expect(folded.getAttribute("aria-expanded")).toBe("false");
  expect(all(".tree-node").length).toBe(count - 2);
  fireEvent.keyDown(folded, { key: "ArrowDown" });
  expect(container.querySelectorAll(".tree-node")).toHaveLength(count);
});

test("on a narrow screen a tree that does not fit is an outline, in reading order and within the width", () => {
  for (const name of ["ls-tree-short", "ls-tree-sixty", "ls-tree-scripts"]) {
    const { nodes, width } = layoutOutline(fixture(name), resultOf(name), NOTHING_FOLDED, 350);
    expect(nodes.map((node) => node.y)).toEqual(nodes.map((node) => node.y).toSorted((a, b) => a - b));
    for (const node of nodes) expect(node.x + node.width / 2).toBeLessThanOrEqual(width);
    expect(svgOf(tree, fixture(name), 350)).toContain('aria-orientation="vertical"');
  }
});

test("in an outline the arrow keys go line by line, to the right inside and to the left outside", () => {
  const { one } = drawn(tree, fixture("ls-tree-short"), 350);
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  const at = () => document.activeElement?.getAttribute("data-span");
  one("[data-node='0']").focus();
  press("ArrowRight");
  press("ArrowDown");
  expect(at()).toBe("0-2");
  press("ArrowLeft");
  expect(at()).toBe("0-4");
  press("ArrowUp");
  expect(at()).toBe("0-14");
});

test("quiet phrases are those in which nothing speaks up", () => {
  const result = resultOf("ls-tree-twenty");
  const loudest = tree.largest(fixture("ls-tree-twenty"));
  const quiet = quietPhrases(result);
  expect(quiet.size).toBeGreaterThan(0);
  for (const index of quiet) {
    const { start, end } = result.nodes[index] ?? { start: 0, end: 0 };
    const inside = result.nodes.filter(
      (node) => node.start >= start && node.end <= end && node.children.length > 0,
    );
    for (const node of inside) expect(Math.abs(node.signed ?? 0)).toBeLessThanOrEqual(0.15 * loudest);
    for (const value of result.word_values.slice(start, end))
      expect(Math.abs(value)).toBeLessThanOrEqual(0.15 * loudest);
  }
});

test("arrow keys walk up, down and sideways; Enter chooses and Escape clears", () => {
  const { one, onSelect, onHover } = drawn(tree, fixture("ls-tree-short"), 1200);
  const focused = () => document.activeElement?.getAttribute("data-span");
  one("[data-node='0']").focus();
  expect(onHover).toHaveBeenLastCalledWith([0, 14]);
  fireEvent.keyDown(one("[data-node='0']"), { key: "ArrowDown" });
  expect(focused()).toBe("0-4");
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowRight" });
  expect(focused()).toBe("4-5");
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowUp" });
  expect(focused()).toBe("0-14");
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter" });
  expect(onSelect).toHaveBeenLastCalledWith([0, 14]);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  expect(onSelect).toHaveBeenLastCalledWith(null);
});

test("pointing at a phrase reports its words, and its numbers are said", () => {
  const explanation = fixture("ls-tree-short");
  const { one, onHover, show, container } = drawn(tree, explanation, 1200);
  fireEvent.pointerOver(one("[data-span='2-4'] text"));
  expect(onHover).toHaveBeenLastCalledWith([2, 4]);
  show(explanation, { hovered: [2, 4], selected: null });
  const said = container.querySelector(".readout")?.textContent ?? "";
  expect(said).toContain("is lovely");
  expect(said).toContain("absolute");
  expect(said).toContain("alone");
});

test("the table has a row for every node, with the numbers as they are", () => {
  const { columns, rows } = tree.table(fixture("ls-tree-short"));
  const nodes = resultOf("ls-tree-short").nodes;
  expect(rows).toHaveLength(nodes.length);
  expect(rows.map((row) => row[columns.indexOf("value alone")])).toEqual(nodes.map((node) => node.value));
});
