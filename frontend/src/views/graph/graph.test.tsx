// @vitest-environment happy-dom

import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Explanation } from "../../explanation";
import type { Selection } from "../../spans";
import groups from "../fixtures/asiv-groups.json";
import published from "../fixtures/asiv-published-short.json";
import short from "../fixtures/asiv-short.json";
import twenty from "../fixtures/asiv-twenty.json";
import type { ViewProps } from "../view";
import { graphOf, tellingFew } from "./arrows";
import view from "./index";
import { assignLanes, placeWords } from "./layout";
import type { GraphExplanation } from "./result";

const explanations = { short, twenty, groups, published } as unknown as Record<string, GraphExplanation>;
const read = (name: string) => explanations[name] as GraphExplanation;

function draw(name: string, props: Partial<ViewProps> = {}) {
  const explanation = read(name) as Explanation;
  const all: ViewProps = {
    explanation,
    selection: { hovered: null, selected: null },
    onHover: () => {},
    onSelect: () => {},
    domain: view.largest(explanation),
    width: 900,
    ...props,
  };
  const drawn = render(<view.Picture {...all} />);
  const marks = (selector: string) => [...drawn.container.querySelectorAll<SVGElement>(selector)];
  const mark = (selector: string) => marks(selector)[0] as SVGElement;
  const again = (selection: Selection) => drawn.rerender(<view.Picture {...all} selection={selection} />);
  return { ...drawn, marks, mark, again };
}

afterEach(cleanup);

describe("what is shown", () => {
  test("one arrow of each pair is ranked, the largest synergy first", () => {
    const { arrows } = graphOf(read("short"));
    const size = short.words.length;
    expect(arrows).toHaveLength((size * (size - 1)) / 2);
    const clear = arrows.filter((arrow) => arrow.clear).map((arrow) => Math.abs(arrow.together));
    expect(clear).toEqual([...clear].sort((one, other) => other - one));
    expect(clear[0]).toBe(Math.max(...short.result.synergy.flat().map(Math.abs)));
  });

  test("of a pair the arrow is shown whose sign the other word turns", () => {
    const { arrows, nodes } = graphOf(read("short"));
    const [first] = arrows;
    expect(nodes[first?.given ?? 0]?.text).toBe("not");
    expect(nodes[first?.adds ?? 0]?.text).toBe("heartwarming");
    expect(first?.without).toBeLessThan(0);
    expect(first?.value).toBeGreaterThan(0);
  });

  test("only differences clear of two standard errors are among the telling few", () => {
    for (const name of ["short", "twenty"]) {
      const graph = graphOf(read(name));
      const few = graph.arrows.slice(0, tellingFew(graph));
      expect(few.length).toBeGreaterThan(0);
      for (const arrow of few)
        expect(Math.abs(arrow.together)).toBeGreaterThan(2 * (arrow.errors?.together ?? 0));
    }
  });

  test("phrases that were asked for come first, as nodes of their own", () => {
    const graph = graphOf(read("groups"));
    expect(graph.nodes.map((node) => node.text)).toContain("heartwarming or entertaining");
    expect([graph.arrows[0]?.given, graph.arrows[0]?.adds].sort()).toEqual([...groups.result.pair].sort());
    expect(graph.nodes[groups.result.pair[1] ?? 0]?.span).toEqual([10, 13]);
  });
});

describe("where it is", () => {
  test("ranges that overlap have lanes of their own, and short ones run inside long ones", () => {
    expect(
      assignLanes([
        { from: 0, to: 100 },
        { from: 10, to: 30 },
        { from: 40, to: 60 },
        { from: 20, to: 50 },
        { from: 200, to: 300 },
      ]),
    ).toEqual([2, 0, 0, 1, 0]);
  });

  test("words that do not fit are hinted at, but not those that are wanted", () => {
    const nodes = graphOf(read("twenty")).nodes;
    const measure = (text: string, size: number) => text.length * size * 0.6;
    expect(placeWords(nodes, 5000, measure, new Set()).thinned).toBe(false);
    const thin = placeWords(nodes, 400, measure, new Set([3, 4]));
    expect(thin.thinned).toBe(true);
    expect([thin.boxes[3]?.hinted, thin.boxes[4]?.hinted]).toEqual([false, false]);
    expect(thin.width).toBe(400);
    expect(placeWords(nodes, 400, measure).width).toBeGreaterThan(400);
  });

  test("words follow each other in reading order without covering each other", () => {
    const { boxes } = placeWords(
      graphOf(read("twenty")).nodes,
      620,
      (text, size) => text.length * size * 0.6,
    );
    boxes.slice(1).forEach((box, index) => {
      const before = boxes[index];
      expect(box.left).toBeGreaterThanOrEqual((before?.left ?? 0) + (before?.width ?? 0));
    });
  });
});

test("a narrow picture begins with fewer arrows, so that the words of each are in sight", () => {
  const wide = draw("twenty", { width: 1200 }).marks(".graph-arrow").length;
  const { marks, mark } = draw("twenty", { width: 330 });
  const narrow = marks(".graph-arrow").length;
  expect(narrow).toBeGreaterThanOrEqual(3);
  expect(narrow).toBeLessThan(wide);
  if (narrow > 3) expect(Number(mark("svg.picture").getAttribute("width"))).toBe(330);
});

describe("the picture is the number", () => {
  test("arrows carry what the result has", () => {
    const { marks } = draw("short");
    const arrows = marks(".graph-arrow");
    expect(arrows.length).toBeGreaterThan(2);
    for (const { dataset } of arrows) {
      const [given, adds] = [Number(dataset.from), Number(dataset.to)];
      expect(Number(dataset.value)).toBe(short.result.present[given]?.[adds]);
      expect(Number(dataset.absent)).toBe(short.result.absent[given]?.[adds]);
      expect(Number(dataset.synergy)).toBe(short.result.synergy[given]?.[adds]);
      expect(Number(dataset.error)).toBe(short.result.standard_errors.present[given]?.[adds]);
    }
  });

  test("both ways, the way back carries its own numbers and the same synergy", () => {
    const { marks, getByText } = draw("short");
    fireEvent.click(getByText("Both ways"));
    for (const { dataset } of marks(".graph-arrow")) {
      const [given, adds] = [Number(dataset.from), Number(dataset.to)];
      expect(Number(dataset.value)).toBe(short.result.present[given]?.[adds]);
      expect(Number(dataset.absent)).toBe(short.result.absent[given]?.[adds]);
      expect(Number(dataset.synergy)).toBeCloseTo(short.result.synergy[given]?.[adds] ?? Number.NaN, 12);
    }
  });

  test("every cell of every matrix carries what the result has", () => {
    const { marks, getByText, getByLabelText } = draw("short");
    fireEvent.click(getByText("Matrix"));
    for (const name of ["present", "absent", "synergy", "interaction"] as const) {
      fireEvent.change(getByLabelText("What the matrix shows"), { target: { value: name } });
      const cells = marks("[data-from]");
      expect(cells).toHaveLength(short.words.length * (short.words.length - 1));
      for (const { dataset } of cells)
        expect(Number(dataset.value)).toBe(short.result[name][Number(dataset.from)]?.[Number(dataset.to)]);
    }
  });

  test("the table has every ordered pair", () => {
    const { columns, rows } = view.table(read("short") as Explanation);
    expect(rows).toHaveLength(short.words.length * (short.words.length - 1));
    for (const row of rows) expect(row).toHaveLength(columns.length);
  });
});

describe("pointing and walking", () => {
  test("an arrow says in words what a word adds without and with another, and that the synergy is symmetric", () => {
    const { mark, container } = draw("short");
    fireEvent.focus(mark('[data-arrow="9>10"]'));
    const said = container.querySelector(".readout")?.textContent ?? "";
    expect(said).toContain("“heartwarming” adds −0.18");
    expect(said).toContain("without “not”");
    expect(said).toContain("+0.03");
    expect(said).toContain("synergy +0.21");
    expect(said).toContain("the same both ways");
  });

  test("hovering a word reports its span, and a span hovered elsewhere lights the arrows of its words", () => {
    const onHover = vi.fn();
    const { mark, marks, again } = draw("short", { onHover });
    fireEvent.pointerOver(mark('[data-node="9"]'));
    expect(onHover).toHaveBeenLastCalledWith([9, 10]);
    fireEvent.pointerLeave(mark("svg.picture"));
    again({ hovered: [3, 4], selected: null });
    for (const { dataset } of marks(".graph-arrow"))
      expect(dataset.state).toBe(dataset.from === "3" || dataset.to === "3" ? "lit" : "faint");
  });

  test("keys walk along words, onto arrows and back; Enter selects and Escape clears", () => {
    const onSelect = vi.fn();
    const { mark } = draw("short", { onSelect });
    const focused = () => document.activeElement as unknown as SVGElement;
    const press = (key: string, shiftKey = false) => fireEvent.keyDown(focused(), { key, shiftKey });
    mark('[data-node="0"]').focus();
    press("End");
    expect(focused().dataset.node).toBe(String(short.words.length - 1));
    press("ArrowLeft");
    press("ArrowLeft");
    press("ArrowLeft");
    expect(focused().dataset.node).toBe("10");
    press("ArrowUp");
    expect(focused().dataset.arrow).toBe("9>10");
    press("Enter");
    expect(onSelect).toHaveBeenLastCalledWith([10, 11]);
    press("ArrowDown");
    expect(focused().dataset.node).toBe("10");
    press("Escape");
    expect(onSelect).toHaveBeenLastCalledWith(null);
  });

  test("two phrases are asked for by keeping the one that is selected and selecting the other", () => {
    const onParameters = vi.fn();
    const { getByText, again } = draw("short", {
      onParameters,
      selection: { hovered: null, selected: [5, 10] },
    });
    fireEvent.click(getByText("“but the film is not” against…"));
    again({ hovered: null, selected: [10, 13] });
    fireEvent.click(getByText("Ask “but the film is not” against “heartwarming or entertaining”"));
    expect(onParameters).toHaveBeenCalledWith({
      groups: [
        [5, 10],
        [10, 13],
      ],
    });
  });

  test("the slider brings weaker arrows, and selecting a word brings its own", () => {
    const { marks, getByLabelText, again } = draw("short");
    const before = marks(".graph-arrow").length;
    fireEvent.change(getByLabelText("How many arrows"), { target: { value: String(before + 5) } });
    expect(marks(".graph-arrow")).toHaveLength(before + 5);
    fireEvent.change(getByLabelText("How many arrows"), { target: { value: "1" } });
    again({ hovered: null, selected: [5, 6] });
    expect(marks('.graph-arrow[data-from="5"], .graph-arrow[data-to="5"]').length).toBeGreaterThan(2);
  });
});

test.each([
  ["short", 900],
  ["short", 350],
  ["twenty", 620],
  ["groups", 620],
  ["published", 900],
] as const)("the graph of %s at %i pixels", (name, width) => {
  const { mark } = draw(name, { width });
  expect(mark("svg.picture").outerHTML.replaceAll("><", ">\n<")).toMatchSnapshot();
});

test("a matrix", () => {
  const { mark, getByText } = draw("groups", { width: 620 });
  fireEvent.click(getByText("Matrix"));
  expect(mark("svg.picture").outerHTML.replaceAll("><", ">\n<")).toMatchSnapshot();
});
