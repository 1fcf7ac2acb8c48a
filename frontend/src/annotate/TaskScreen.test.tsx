// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { TaskDocument } from "./documents";
import { TaskScreen } from "./TaskScreen";

afterEach(cleanup);

const coherence: TaskDocument = {
  id: "t1",
  kind: "task",
  number: 1,
  of: 5,
  protocol: "coherence",
  text: "Not a bad movie at all!",
  words: [],
  options: [
    { value: "positive", label: "Positive" },
    { value: "negative", label: "Negative" },
    { value: "n/a", label: "N/A" },
  ],
  lines: [
    { letter: "A", phrase: "bad movie", words: [2, 3] },
    { letter: "B", phrase: "not a bad", words: [0, 1, 2] },
  ],
  explanations: [],
  poles: null,
  prediction: null,
};

const preference: TaskDocument = {
  ...coherence,
  protocol: "preference",
  text: "No sense.",
  words: [
    { text: "No", start: 0, end: 2 },
    { text: "sense", start: 3, end: 8 },
    { text: ".", start: 8, end: 9 },
  ],
  options: [
    { value: "A", label: "A" },
    { value: "B", label: "B" },
  ],
  lines: [],
  explanations: [
    {
      letter: "A",
      groups: [
        { words: [0], weight: -0.5 },
        { words: [1], weight: 0.4 },
      ],
    },
    { letter: "B", groups: [{ words: [0, 1], weight: -0.9 }] },
  ],
  poles: ["negative", "positive"],
  prediction: "negative",
};

const press = (key: string) => fireEvent.keyDown(document.body, { key });

test("number keys answer line by line, and Enter goes on with what was chosen", () => {
  const submitted = vi.fn();
  render(<TaskScreen task={coherence} onSubmit={submitted} busy={false} />);
  press("2");
  press("Enter");
  expect(submitted).not.toHaveBeenCalled();
  press("1");
  press("Enter");
  expect(submitted).toHaveBeenCalledExactlyOnceWith({ A: "negative", B: "positive" }, expect.any(Number));
});

test("nobody can go on before every line is answered", () => {
  render(<TaskScreen task={coherence} onSubmit={() => {}} busy={false} />);
  const next = screen.getByRole<HTMLButtonElement>("button", { name: "Next" });
  expect(next.disabled).toBe(true);
  fireEvent.click(screen.getAllByRole("radio", { name: /N\/A/ })[0] as HTMLElement);
  expect(next.disabled).toBe(true);
  fireEvent.click(screen.getAllByRole("radio", { name: /Negative/ })[1] as HTMLElement);
  expect(next.disabled).toBe(false);
});

test("nothing can be sent or changed while an answer is on its way", () => {
  const submitted = vi.fn();
  const { rerender } = render(<TaskScreen task={coherence} onSubmit={submitted} busy={false} />);
  press("1");
  press("1");
  rerender(<TaskScreen task={coherence} onSubmit={submitted} busy={true} />);
  press("3");
  press("Enter");
  fireEvent.submit(document.querySelector("form") as HTMLFormElement);
  expect(submitted).not.toHaveBeenCalled();
});

test("a preference shows words in one picture and the merged phrase in the other", () => {
  const { container } = render(<TaskScreen task={preference} onSubmit={() => {}} busy={false} />);
  const [a, b] = [...container.querySelectorAll(".option")];
  expect([...(a?.querySelectorAll("mark") ?? [])].map((mark) => mark.getAttribute("data-value"))).toEqual([
    "-0.5",
    "0.4",
  ]);
  expect(b?.querySelector("mark")?.textContent).toBe("−No sense");
  expect(b?.querySelector(".highlighted")?.textContent).toBe("−No sense.");
});

test("keys 1 and 2 choose between A and B", () => {
  const submitted = vi.fn();
  render(<TaskScreen task={preference} onSubmit={submitted} busy={false} />);
  press("2");
  press("Enter");
  expect(submitted).toHaveBeenCalledExactlyOnceWith({ choice: "B" }, expect.any(Number));
});

test("feedback stays beside the task, which cannot be answered again", () => {
  const read = vi.fn();
  const submitted = vi.fn();
  const task = { ...coherence, kind: "practice" as const };
  const feedback = {
    task: "t1",
    correct: false,
    expected: { A: "negative", B: "positive" },
    why: "“Not a bad” is praise.",
  };
  const { rerender } = render(<TaskScreen task={task} onSubmit={submitted} busy={false} />);
  press("1");
  press("1");
  rerender(<TaskScreen task={task} onSubmit={submitted} busy={false} feedback={feedback} onRead={read} />);
  expect(screen.getByText("Not quite.")).toBeTruthy();
  press("2");
  press("Enter");
  expect(submitted).not.toHaveBeenCalled();
  expect(read).toHaveBeenCalledOnce();
});
