// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { EXAMPLE } from "./example";
import { finding } from "./finding";
import { ResultsView } from "./ResultsView";

afterEach(cleanup);

test("every share stands with its interval and its count", () => {
  render(<ResultsView results={EXAMPLE} classes={["negative", "positive"]} />);
  const row = screen.getByRole("row", { name: /hedge 0.89/ });
  expect(within(row).getByText("0.81 – 0.94")).toBeTruthy();
  expect(within(row).getByText("89 of 100")).toBeTruthy();
  const dot = row.querySelector("circle");
  expect(dot?.getAttribute("cx")).toBe("89%");
});

test("a difference that a paired test does not confirm is not sold as one", () => {
  expect(finding(EXAMPLE)).toContain("the difference could be chance");
  const [pair] = EXAMPLE.comparisons;
  const confirmed = { ...EXAMPLE, comparisons: pair ? [{ ...pair, mcnemar_holm: 0.01 }] : [] };
  expect(finding(confirmed)).not.toContain("chance");
});

test("26 of 40 majorities are reported with the exact two-sided test", () => {
  const majorities = { count: 26, of: 40, share: 0.65, low: 0.4951, high: 0.7787 };
  const preference = {
    model: null,
    first: "lime",
    second: "mahe",
    majorities,
    ties: 0,
    test: { exact_one_sided: 0.0403, exact_two_sided: 0.0807, normal_one_sided: 0.0289 },
    votes: majorities,
    shown_first: majorities,
  };
  const results = {
    ...EXAMPLE,
    protocol: "preference" as const,
    coherence: [],
    comparisons: [],
    preference: [preference],
  };
  expect(finding(results)).toBe(
    "The majority prefers mahe to lime for 26 of 40 texts, which could be chance (p = 0.081).",
  );
  render(<ResultsView results={results} classes={["negative", "positive"]} />);
  for (const p of ["0.0403", "0.0807", "0.0289"]) expect(screen.getByText(p)).toBeTruthy();
});

test("a rehearsal is marked wherever its numbers are shown", () => {
  render(<ResultsView results={{ ...EXAMPLE, simulated: true }} classes={["negative", "positive"]} />);
  expect(screen.getByText(/answers of simulated people/)).toBeTruthy();
});

test("without answers nothing is claimed", () => {
  expect(finding({ ...EXAMPLE, answers: 0 })).toBe("No answers yet.");
});

test("without answers there are no tables of nothing", () => {
  render(<ResultsView results={{ ...EXAMPLE, answers: 0 }} classes={["negative", "positive"]} />);
  expect(screen.getByText("No answers yet.")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});
