// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { dataAt, type Handling, useMarks } from "./useMarks";

afterEach(cleanup);

function Picture({ handling }: { handling: Handling<string> }) {
  const { picture, hands } = useMarks(handling);
  return (
    <svg ref={picture} aria-label="Two marks" {...hands}>
      <title>Two marks</title>
      <g data-mark="one" tabIndex={0}>
        <rect className="inside" />
      </g>
      <g data-mark="two" tabIndex={-1} />
      <rect className="beside" />
    </svg>
  );
}

function drawn(more: Partial<Handling<string>> = {}) {
  const handling = {
    at: (part: Element) => dataAt(part, "mark"),
    point: vi.fn(),
    choose: vi.fn(),
    clear: vi.fn(),
    ...more,
  };
  const { container } = render(<Picture handling={handling} />);
  const find = (selector: string) => container.querySelector(selector) as SVGElement;
  return { handling, find };
}

test("a mouse points, and what belongs to a mark counts as the mark", () => {
  const { handling, find } = drawn();
  fireEvent.pointerOver(find(".inside"), { pointerType: "mouse" });
  expect(handling.point).toHaveBeenLastCalledWith("one", "pointer");
  fireEvent.pointerOver(find(".beside"), { pointerType: "mouse" });
  expect(handling.point).toHaveBeenLastCalledWith(null, "pointer");
});

test("a finger does not point, but chooses", () => {
  const { handling, find } = drawn();
  fireEvent.pointerOver(find(".inside"), { pointerType: "touch" });
  expect(handling.point).not.toHaveBeenCalled();
  fireEvent.click(find(".inside"));
  expect(handling.choose).toHaveBeenCalledWith("one", false, find(".inside"));
});

test("a click beside all marks lets go, as Escape does", () => {
  const { handling, find } = drawn();
  fireEvent.click(find(".beside"));
  fireEvent.keyDown(find("[data-mark=one]"), { key: "Escape" });
  expect(handling.clear).toHaveBeenCalledTimes(2);
});

test.each(["Enter", " "])("the key “%s” chooses, and Shift extends", (key) => {
  const { handling, find } = drawn();
  fireEvent.keyDown(find("[data-mark=one]"), { key, shiftKey: true });
  expect(handling.choose).toHaveBeenCalledWith("one", true, find("[data-mark=one]"));
});

test("a key leads to the mark that the picture names, and pointing goes with the focus", () => {
  const { handling, find } = drawn({ key: (mark) => mark === "one" && "[data-mark=two]" });
  find("[data-mark=one]").focus();
  expect(fireEvent.keyDown(find("[data-mark=one]"), { key: "ArrowRight" })).toBe(false);
  expect(document.activeElement).toBe(find("[data-mark=two]"));
  expect(handling.point).toHaveBeenLastCalledWith("two", "focus");
});

test("a key that means nothing here is left to the page", () => {
  const { find } = drawn();
  expect(fireEvent.keyDown(find("[data-mark=one]"), { key: "PageDown" })).toBe(true);
});

test("a picture may give Escape a meaning of its own", () => {
  const { handling, find } = drawn({ key: (_, { key }) => key === "Escape" });
  expect(fireEvent.keyDown(find("[data-mark=one]"), { key: "Escape" })).toBe(false);
  expect(handling.clear).not.toHaveBeenCalled();
});

function Text({ handling }: { handling: Handling<string> }) {
  const { picture, hands } = useMarks<string, HTMLParagraphElement>(handling);
  return (
    <p ref={picture} {...hands}>
      <button type="button" data-mark="one">
        A
      </button>{" "}
      <button type="button" data-mark="two">
        text
      </button>
    </p>
  );
}

function written(more: Partial<Handling<string>> = {}) {
  const handling = { at: (part: Element) => dataAt(part, "mark"), point: vi.fn(), choose: vi.fn(), ...more };
  const { container } = render(<Text handling={handling} />);
  const find = (selector: string) => container.querySelector(selector) as HTMLElement;
  return { handling, find };
}

test.each(["Enter", " "])(
  "the key “%s” on a mark that is a button is left to it: it makes a click of it",
  (key) => {
    const { handling, find } = written();
    expect(fireEvent.keyDown(find("[data-mark=one]"), { key })).toBe(true);
    expect(handling.choose).not.toHaveBeenCalled();
    fireEvent.click(find("[data-mark=one]"));
    expect(handling.choose).toHaveBeenCalledTimes(1);
  },
);

test("keys lead from word to word of a text as from mark to mark", () => {
  const { handling, find } = written({ key: (mark) => mark === "one" && "[data-mark=two]" });
  find("[data-mark=one]").focus();
  fireEvent.keyDown(find("[data-mark=one]"), { key: "ArrowRight" });
  expect(document.activeElement).toBe(find("[data-mark=two]"));
  expect(handling.point).toHaveBeenLastCalledWith("two", "focus");
});

test("where nothing is let go of, Escape is left to the page", () => {
  const { find } = written();
  expect(fireEvent.keyDown(find("[data-mark=one]"), { key: "Escape" })).toBe(true);
  fireEvent.click(find("p"));
});
