// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, render, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import type { EditDocument, EditResults } from "../documents";
import { report } from "../report";
import { FIRST_EDIT, lackingEdit, toEdit, wordsOf } from "./draft";
import { EditedModels } from "./EditedModels";
import { linesOf, NumbersTable } from "./NumbersTable";
import { editReport } from "./report";
import { Turned } from "./Turned";
import { editTitle, finding } from "./wording";

afterEach(cleanup);

/** On a page with links, where the catalog is known. */
async function shown(content: ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queries.setQueryData(["catalog"], { methods: [{ name: "mahe", view: "interactions" }], models: [] });
  const routeTree = createRootRoute({ component: () => content });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

const leadsTo = (link: HTMLElement) =>
  Object.fromEntries(new URL(link.getAttribute("href") ?? "", "http://here").searchParams);

const share = (count: number, of: number) => ({ count, of, share: count / of, low: 0.25, high: 0.75 });

const results: EditResults = {
  edit: "e",
  model: "sst2-cnn-not-good-e",
  of: "sst2-cnn",
  words: ["not", "good"],
  text: "This is not a good film.",
  target: "positive",
  strength: 3,
  steps: 50,
  kept: 100,
  error_before: 10,
  error_after: 1,
  here_before: -2.1,
  here_after: 2.6,
  matching: 9,
  held_out: 4,
  before: share(4, 4),
  after: share(2, 4),
  turned: share(2, 4),
  accuracy: { before: share(9, 10), after: share(8, 10), lost: { mean: 10, low: 0, high: 30, n: 10 } },
  occurrences: [
    { text: "Not good.", before: -1, before_error: 0.1, after: 1, after_error: 0.1 },
    { text: "Hardly, not <b>good</b>.", before: -2, before_error: 0.1, after: -1.5, after_error: 0.1 },
  ],
  seconds: 12,
  seed: 0,
  warnings: ["mind this"],
  paragraph: "We edited sst2-cnn.",
};

const run: EditDocument = {
  id: "e",
  status: "finished",
  texts: 20,
  total: 100,
  done: 100,
  failed: 0,
  seconds_left: null,
  evaluations: 100,
  problem: null,
  created: "2026-01-01T00:00:00Z",
  finished: "2026-01-01T00:01:00Z",
  example: false,
  design: { model: "sst2-cnn", words: ["not", "good"], text: "This is not a good film." },
  doing: null,
  tested: 10,
  model: "sst2-cnn-not-good-e",
};

test("a draft says what is missing, and becomes a design", () => {
  const model = { ...FIRST_EDIT, model: "sst2-cnn" };
  expect(lackingEdit(FIRST_EDIT)).toBe("Choose a model.");
  expect(lackingEdit(model)).toContain("Write the words");
  expect(lackingEdit({ ...model, words: "good" })).toContain("“good” has 1");
  expect(lackingEdit({ ...model, words: "not good" })).toContain("Write a text");
  const whole = { ...model, words: " not … good", text: " Not good. " };
  expect(lackingEdit(whole)).toBeNull();
  expect(lackingEdit({ ...whole, test: { name: "", content: "" } })).toBe("Choose a file of labelled texts.");
  expect(wordsOf("not, as  good")).toEqual(["not", "as", "good"]);
  expect(toEdit({ ...whole, test: { name: "dev.tsv", content: "x" } })).toMatchObject({
    model: "sst2-cnn",
    words: ["not", "good"],
    text: "Not good.",
    target: null,
    test: { kind: "file", name: "dev.tsv", content: "x" },
    most_matching: 40,
  });
});

test("what came out is said with its interval and its price", () => {
  expect(finding(results)).toBe(
    "“not … good” does the opposite in the edited text (from −2.10 to +2.60), and its sign changed in 2 of 4 " +
      "other texts that had its sign (50\u00a0%, 25\u00a0% to 75\u00a0%). It cost 10.0 points of accuracy (0.0 to 30.0).",
  );
  const gained = {
    ...results,
    accuracy: results.accuracy && { ...results.accuracy, lost: { mean: -1, low: -2, high: 1, n: 9 } },
  };
  expect(finding(gained)).toContain("1.0 points of accuracy gained (lost: −2.0 to 1.0)");
  const none = {
    ...results,
    here_after: -2,
    accuracy: null,
    turned: { count: 0, of: 0, share: null, low: null, high: null },
  };
  expect(finding(none)).toBe(
    "“not … good” was not turned round in the edited text (from −2.10 to −2.00); no other text had its sign before.",
  );
  expect(editTitle(run)).toBe("sst2-cnn edited at “not … good”");
});

test("the table has terms, shares and points lost, and no accuracy where there were no labelled texts", async () => {
  await shown(<NumbersTable results={results} />);
  const cells = (name: RegExp) =>
    within(screen.getByRole("row", { name }))
      .getAllByRole("cell")
      .map(({ textContent }) => textContent);
  expect(cells(/Term in the edited text/)).toEqual(["−2.10", "+2.60"]);
  expect(cells(/the opposite after/)[1]).toContain("0.500 0.250 to 0.750, n = 4");
  expect(cells(/Points of accuracy lost/)[1]).toContain("10.0");
  expect(linesOf({ ...results, accuracy: null })).toHaveLength(3);
});

test("a text leads to the original beside the edited model, and to the original alone when that was undone", async () => {
  await shown(<Turned results={results} model={run.model} />);
  const link = screen.getByRole("link", { name: "Not good.", hidden: true });
  expect(leadsTo(link)).toEqual({
    text: "Not good.",
    model: "sst2-cnn",
    interactions: "mahe",
    only: "interactions",
    against: '{"model":"sst2-cnn-not-good-e"}',
  });
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("turned round in 2 of 4");
  cleanup();
  await shown(<Turned results={results} model={null} />);
  const alone = leadsTo(screen.getByRole("link", { name: "Not good.", hidden: true }));
  expect(alone).not.toHaveProperty("against");
});

test("models that the command edited are listed and can be compared and undone", async () => {
  const model = {
    name: "mine",
    of: "sst2-cnn",
    words: ["not", "good"],
    text: "Not good.",
    target: "positive",
    strength: 3,
    edit: null,
  };
  await shown(<EditedModels models={[model]} />);
  expect(leadsTo(screen.getByRole("link", { name: "Compare mine with sst2-cnn" })).against).toBe(
    '{"model":"mine"}',
  );
  expect(screen.getByRole("button", { name: "Undo mine" })).toBeTruthy();
  expect(screen.getByText(/edited with the command/)).toBeTruthy();
  cleanup();
  await shown(<EditedModels models={[{ ...model, edit: "another's" }]} />);
  expect(screen.getByText(/edited in another's run/)).toBeTruthy();
});

test("a report is one page with the finding, the numbers and every text, and runs nothing", () => {
  const written = report(editReport(run, results), { pictures: [], link: "http://here/", date: new Date(0) });
  for (const said of [
    "2 of 4",
    "mind this",
    "Points of accuracy lost",
    "We edited sst2-cnn.",
    "Hardly, not &lt;b&gt;good",
  ])
    expect(written).toContain(said);
  expect(written).not.toContain("<b>good</b>");
});
