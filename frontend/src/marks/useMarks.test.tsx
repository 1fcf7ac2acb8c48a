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
  expect(handling.point).toHaveBeenLastCalledWith("one");
  fireEvent.pointerOver(find(".beside"), { pointerType: "mouse" });
  expect(handling.point).toHaveBeenLastCalledWith(null);
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
  expect(handling.point).toHaveBeenLastCalledWith("two");
});

test("a key that means nothing here is left to the page", () => {
  const { find } = drawn();
  expect(fireEvent.keyDown(find("[data-mark=one]"), { key: "PageDown" })).toBe(true);
});
