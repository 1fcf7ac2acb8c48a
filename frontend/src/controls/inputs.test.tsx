// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Button } from "./Button";
import { NumberInput, TextArea } from "./inputs";

afterEach(cleanup);

describe("a number that settles", () => {
  function written(value: number | null, text: string) {
    const onSettle = vi.fn();
    const { container } = render(
      <NumberInput id="draws" value={value} least={1} most={64} {...{ onSettle }} />,
    );
    const field = container.querySelector("input") as HTMLInputElement;
    field.focus();
    fireEvent.input(field, { target: { value: text } });
    expect(onSettle).not.toHaveBeenCalled();
    return { field, onSettle };
  }

  test("counts once the field is left", () => {
    const { field, onSettle } = written(4, "16");
    fireEvent.blur(field);
    expect(onSettle.mock.calls).toEqual([[16]]);
  });

  test("counts once Enter is pressed", () => {
    const { field, onSettle } = written(4, "16");
    fireEvent.keyDown(field, { key: "Enter" });
    expect(onSettle.mock.calls).toEqual([[16]]);
  });

  test("is none once the field is empty", () => {
    const { field, onSettle } = written(4, "");
    fireEvent.blur(field);
    expect(onSettle.mock.calls).toEqual([[null]]);
  });

  test.each(["4", "65", "0"])("is not told where it is the same or not possible: %s", (text) => {
    const { field, onSettle } = written(4, text);
    fireEvent.blur(field);
    expect(onSettle).not.toHaveBeenCalled();
  });
});

test.each([
  [true, { ctrlKey: true }, 1],
  [true, { metaKey: true }, 1],
  [true, {}, 0],
  [false, { ctrlKey: true }, 0],
])("lines of text that submit: %s, Enter with %o sends the form %i times", (submits, held, times) => {
  const send = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  const { container } = render(
    <form onSubmit={send}>
      <TextArea value="a text" submits={submits} />
    </form>,
  );
  fireEvent.keyDown(container.querySelector("textarea") as Element, { key: "Enter", ...held });
  expect(send).toHaveBeenCalledTimes(times);
});

test("a bare button has no look but that of the room it stands in, and sends no form", () => {
  const { container } = render(<Button kind="bare" />);
  expect(container.innerHTML).toBe('<button type="button"></button>');
});
