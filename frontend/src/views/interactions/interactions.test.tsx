// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Explanation } from "../../explanation";
import archipelago from "../fixtures/archipelago-short.json";
import mahe from "../fixtures/mahe-short.json";
import maheTwenty from "../fixtures/mahe-twenty.json";
import type { ViewProps } from "../view";
import view from "./index";
import { cellsOf, readLevels, shared } from "./levels";
import type { MaheResult } from "./result";
import { placePills, placeStrip, whoIsNamed } from "./strip";

const explanations = { mahe, maheTwenty, archipelago } as unknown as Record<string, Explanation>;
const result = mahe.result as unknown as MaheResult;

function draw(name: string, props: Partial<ViewProps> = {}) {
  const explanation = explanations[name] as Explanation;
  const all: ViewProps = {
    explanation,
    selection: { hovered: null, selected: null },
    onHover: () => {},
    onSelect: () => {},
    domain: view.largest(explanation),
    width: 1000,
    ...props,
  };
  const drawn = render(<view.Picture {...all} />);
  const marks = (selector: string) => [...drawn.container.querySelectorAll<SVGElement>(selector)];
  const mark = (selector: string) => marks(selector)[0] as SVGElement;
  return { ...drawn, marks, mark };
}

afterEach(cleanup);

describe("what levels say", () => {
  test("what all words share is what the terms of a level contribute to the whole text", () => {
    const everybody = result.coefficients.map((_, player) => player);
    for (const reading of readLevels(result)) {
      const contributed = reading.level.terms.reduce((sum, term) => sum + term.contribution, 0);
      expect(shared(reading.level, everybody)).toBeCloseTo(contributed, 10);
    }
  });

  test("what the words of an interaction say together is their sum and every term they make up", () => {
    const third = readLevels(result)[3];
    // “not heartwarming”, “heartwarming entertaining” and all three: each of the level's terms lies within the group.
    const terms = third?.level.terms.reduce((sum, term) => sum + term.contribution, 0) ?? 0;
    expect(third?.term?.players).toEqual([9, 10, 12]);
    expect(third?.together).toBeCloseTo((third?.apart ?? 0) + terms, 12);
  });

  test("a word alone brings no interaction, and the last cell is the term at the full text", () => {
    for (const reading of readLevels(result).slice(1)) {
      const cells = cellsOf(reading);
      expect(cells).toHaveLength(2 ** (reading.term?.players.length ?? 0));
      for (const { present, term } of cells) if (present.filter(Boolean).length < 2) expect(term).toBe(0);
      expect(cells.at(-1)?.term).toBeCloseTo(reading.term?.contribution ?? Number.NaN, 12);
      expect(cells.at(-1)?.says).toBeCloseTo(reading.together, 12);
    }
  });
});

describe("where words are", () => {
  const texts = Array.from({ length: 60 }, (_, index) => `word${index}`);

  test("words that fit are written out; others share the room there is", () => {
    expect(placeStrip(texts, 0, 8000).readable).toBe(true);
    const map = placeStrip(texts, 10, 600);
    expect(map.readable).toBe(false);
    const last = map.places.at(-1);
    expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(610, 6);
  });

  test("names are moved apart where they would cover each other, and stay inside", () => {
    const pills = placePills(placeStrip(texts, 0, 600), [30, 31, 32, 58, 59]);
    pills.slice(1).forEach((pill, index) => {
      const before = pills[index];
      expect(pill.left).toBeGreaterThan((before?.left ?? 0) + (before?.width ?? 0));
    });
    const last = pills.at(-1);
    expect((last?.left ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(600.001);
  });

  test("on a map the loudest words are named, as many as fit, and none that says next to nothing", () => {
    const values = texts.map((_, index) => ({ 30: 1, 31: 0.9, 5: -0.8, 50: 0.01 })[index] ?? 0);
    expect(whoIsNamed(placeStrip(texts, 0, 600), values)).toEqual([5, 30]);
  });
});

describe("the picture is the number", () => {
  test("rows carry the level's R², its term and their errors", () => {
    const rows = draw("mahe").marks(".beam-row");
    expect(rows).toHaveLength(mahe.result.levels.length);
    rows.forEach(({ dataset }, index) => {
      const level = mahe.result.levels[index];
      const term = level?.terms.at(-1);
      expect(Number(dataset.r2)).toBe(level?.r2_held_out);
      expect(Number(dataset.r2Error)).toBe(level?.r2_standard_error);
      if (index === 0) return;
      expect(Number(dataset.value)).toBe(term?.contribution);
      expect(Number(dataset.error)).toBe(term?.standard_error);
      expect(dataset.players).toBe(term?.players.join(" "));
    });
  });

  test("pairs carry both differences, strongest first", () => {
    const rows = draw("archipelago").marks("[data-pair]");
    rows.forEach(({ dataset }, rank) => {
      expect(Number(dataset.value)).toBe(archipelago.result.pairs[rank]?.in_full_text);
      expect(Number(dataset.alone)).toBe(archipelago.result.pairs[rank]?.alone);
      expect(Number(dataset.strength)).toBe(archipelago.result.pairs[rank]?.strength);
    });
    expect(rows).toHaveLength(6);
  });

  test("words of the first row carry the linear part", () => {
    for (const { dataset } of draw("mahe").marks('[data-row="0"] .beam-word'))
      expect(Number(dataset.value)).toBe(mahe.result.coefficients[Number(dataset.player)]);
  });

  test("tables are as wide as their columns", () => {
    for (const explanation of Object.values(explanations)) {
      const { columns, rows } = view.table(explanation);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toHaveLength(columns.length);
    }
  });
});

describe("pointing and walking", () => {
  test("a row says what its words say added up and together", () => {
    const { mark, container } = draw("mahe");
    fireEvent.focus(mark('[data-row="1"]'));
    const said = container.querySelector(".readout")?.textContent ?? "";
    expect(said).toMatch(
      /^“not” and “heartwarming”: added up [+−]\d\.\d\d for negative, together [+−]\d\.\d\d/,
    );
    expect(said).toContain("held-out R²");
  });

  test("opening a row shows every combination of its words; Escape closes it", () => {
    const onSelect = vi.fn();
    const { mark, container } = draw("mahe", { onSelect });
    mark('[data-row="0"]').focus();
    fireEvent.keyDown(document.activeElement as Element, { key: "ArrowDown" });
    expect((document.activeElement as unknown as SVGElement).dataset.row).toBe("1");
    fireEvent.keyDown(document.activeElement as Element, { key: "Enter" });
    expect(container.querySelectorAll(".cells tbody tr")).toHaveLength(4);
    fireEvent.keyDown(document.activeElement as Element, { key: "Escape" });
    expect(container.querySelector(".cells")).toBeNull();
    expect(onSelect).toHaveBeenLastCalledWith(null);
  });

  test("pointing at a word reports its span, and left and right walk along a row's words", () => {
    const onHover = vi.fn();
    const { mark } = draw("mahe", { onHover });
    fireEvent.pointerOver(mark('[data-row="1"] [data-player="10"]'));
    expect(onHover).toHaveBeenLastCalledWith([10, 11]);
    fireEvent.keyDown(mark('[data-row="1"]'), { key: "ArrowRight" });
    expect(onHover).toHaveBeenLastCalledWith([9, 10]);
  });

  test("rows without the selected word step back", () => {
    const { marks } = draw("mahe", { selection: { hovered: null, selected: [3, 4] } });
    for (const { dataset } of marks(".beam-row").slice(1))
      expect(dataset.state).toBe(dataset.players?.split(" ").includes("3") ? "plain" : "faint");
  });
});

test.each([
  ["mahe", 1000],
  ["mahe", 350],
  ["maheTwenty", 620],
  ["archipelago", 620],
] as const)("interactions of %s at %i pixels", (name, width) => {
  const { mark } = draw(name, { width });
  expect(mark("svg.picture").outerHTML.replaceAll("><", ">\n<")).toMatchSnapshot();
});
