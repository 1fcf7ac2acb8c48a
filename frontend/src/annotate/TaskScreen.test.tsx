// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TaskScreen } from "./TaskScreen";
import type { CoherenceTask, PreferenceTask } from "./task";

afterEach(cleanup);

const coherence: CoherenceTask = {
  kind: "coherence",
  id: "t1",
  practice: false,
  text: "Not a bad movie at all!",
  lines: [
    { letter: "A", phrase: "bad movie" },
    { letter: "B", phrase: "not a bad" },
  ],
  choices: ["Positive", "Negative", "N/A"],
};

const preference: PreferenceTask = {
  kind: "preference",
  id: "t2",
  practice: false,
  text: "No sense.",
  words: [
    { text: "No", start: 0, end: 2 },
    { text: "sense", start: 3, end: 8 },
    { text: ".", start: 8, end: 9 },
  ],
  prediction: "negative",
  options: [
    {
      letter: "A",
      highlights: [
        { start: 0, end: 1, weight: 0.5 },
        { start: 1, end: 2, weight: -0.4 },
      ],
    },
    { letter: "B", highlights: [{ start: 0, end: 2, weight: 0.9 }] },
  ],
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
  expect(submitted).toHaveBeenCalledExactlyOnceWith(["Negative", "Positive"]);
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

test("a preference shows words in one picture and the merged phrase in the other, on one colour scale", () => {
  const { container } = render(<TaskScreen task={preference} onSubmit={() => {}} busy={false} />);
  const [a, b] = [...container.querySelectorAll(".option")];
  expect([...(a?.querySelectorAll("mark") ?? [])].map((mark) => mark.getAttribute("data-value"))).toEqual([
    "0.5",
    "-0.4",
  ]);
  expect(b?.querySelector("mark")?.textContent).toBe("+No sense");
  expect(b?.querySelector(".highlighted")?.textContent).toBe("+No sense.");
  expect(a?.querySelector<HTMLElement>("mark")?.style.getPropertyValue("--strength")).toBe("62%");
});

test("keys 1 and 2 choose between A and B", () => {
  const submitted = vi.fn();
  render(<TaskScreen task={preference} onSubmit={submitted} busy={false} />);
  press("2");
  press("Enter");
  expect(submitted).toHaveBeenCalledExactlyOnceWith(["B"]);
});

test("feedback stays beside the task, which cannot be answered again", () => {
  const read = vi.fn();
  const submitted = vi.fn();
  const task = { ...coherence, practice: true };
  const feedback = { correct: false, expected: ["Negative", "Positive"], why: "“Not a bad” is praise." };
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
