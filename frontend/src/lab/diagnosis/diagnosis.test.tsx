// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, render, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import type { DiagnosisDocument, DiagnosisResults, ModelFindings } from "../documents";
import { report } from "../report";
import { ContextFreeTable } from "./ContextFreeTable";
import { ContrastTables } from "./ContrastTables";
import { Depths, linesOf } from "./Depths";
import { diagnosisSentences } from "./diagnosisSentences";
import { FIRST_DIAGNOSIS, interactionsOf, lackingDiagnosis, toDiagnosis } from "./draft";
import { FitTable } from "./FitTable";
import { LinearityTable } from "./LinearityTable";
import { figuresOf, Overfitting, testsOf } from "./Overfitting";
import { diagnosisReport } from "./report";
import { diagnosisTitle, foundOut } from "./wording";

afterEach(cleanup);

/** On a page with links, where the catalog is known. */
async function shown(content: ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const methods = [
    { name: "mahe", view: "levels" },
    { name: "ls-tree", view: "tree" },
  ];
  queries.setQueryData(["catalog"], { methods });
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

const mean = (value: number | null, n = 40) => ({
  mean: value,
  low: value === null ? null : value - 0.1,
  high: value === null ? null : value + 0.1,
  n,
});
const ratio = (value: number | null, count: number) => ({
  ratio: value,
  low: null,
  high: null,
  sentences: count,
  count,
});
const share = (count: number, of: number) => ({ count, of, share: count / of, low: 0.5, high: 1 });

const nothing: ModelFindings = {
  model: "m",
  texts: 40,
  problems: {},
  linearity: null,
  depths: [],
  contrast: null,
  heaviest: [],
  overfitting: null,
  fit: null,
  context_free: [],
};
const results = (...models: Partial<ModelFindings>[]): DiagnosisResults => ({
  diagnosis: "d",
  texts: 40,
  training_texts: 60,
  complete: true,
  seed: 0,
  models: models.map((each) => ({ ...nothing, ...each })),
  warnings: [],
  quantities: [
    { name: "top-depth", title: "Depth of the top node", method: "ls-tree" },
    { name: "error", title: "Error with words alone", method: "mahe" },
  ],
  paragraph: "We diagnosed m.",
});

test("a form says what is missing, and its design has what was chosen", () => {
  expect(lackingDiagnosis(FIRST_DIAGNOSIS)).toBe("Choose at least one model.");
  const draft = { ...FIRST_DIAGNOSIS, models: ["m"], linear: "bag" };
  expect(lackingDiagnosis(draft)).toBeNull();
  expect(lackingDiagnosis({ ...draft, diagnostics: [] })).toBe("Choose what is to be found out.");
  expect(lackingDiagnosis({ ...draft, diagnostics: ["linearity"], linear: "" })).toBe(
    "Choose a bag of words.",
  );
  expect(toDiagnosis(draft)).toMatchObject({ linear: null, interactions: [], most_texts: null });
  expect(toDiagnosis({ ...draft, diagnostics: ["linearity"], texts: 7 })).toMatchObject({
    linear: "bag",
    most_texts: 7,
  });
});

test("interactions are written a line each, with two to four words", () => {
  expect(interactionsOf("not good\n\n not … only,but \n")).toEqual([
    ["not", "good"],
    ["not", "only", "but"],
  ]);
  const draft = { ...FIRST_DIAGNOSIS, models: ["m"], diagnostics: ["context-free"] };
  expect(lackingDiagnosis({ ...draft, interactions: "good" })).toBe(
    "An interaction has two to four words: “good” has 1.",
  );
  expect(lackingDiagnosis(draft)).toMatch("such as: not good");
  expect(toDiagnosis({ ...draft, interactions: "not good" }).interactions).toEqual([["not", "good"]]);
});

test("a diagnosis without a title is named after its models", () => {
  const design = { models: ["a", "b"], diagnostics: ["contrast" as const, "depth" as const] };
  expect(diagnosisTitle({ design } as unknown as DiagnosisDocument)).toBe("Diagnosis of a, b");
  expect(foundOut(design)).toBe("depth of top nodes, words of contrast");
});

test("depths have a line for each model and one for any node, each in its colour", () => {
  const depths = [
    { top: 1, depth: mean(1.5), chance: mean(2.5), difference: mean(-1), p: 0.0001 },
    { top: 2, depth: mean(null), chance: mean(null), difference: mean(null), p: 1 },
  ];
  const found = results({ model: "a", depths }, { model: "b", depths });
  expect(linesOf(found.models).map(({ name, series, points }) => [name, series, points.length])).toEqual([
    ["a", 0, 1],
    ["b", 1, 1],
    ["any node", 8, 1],
  ]);
  render(<Depths results={found} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("a 1.50, b 1.50, any node 2.50");
  expect(screen.getAllByText("0.0001")).toHaveLength(2);
});

test("numbers stand with their intervals", () => {
  const linearity = { words: mean(0.75), phrases: mean(0.5) };
  render(<LinearityTable results={results({ linearity })} linear="bag" />);
  const row = screen.getByRole("row", { name: /^m/ });
  expect(row.textContent).toContain("0.750 0.650 to 0.850, n = 40");
  expect(row.querySelectorAll(".bar")).toHaveLength(2);
});

test("only words that come in the texts have a line, and lead to the texts in which they weigh most", async () => {
  const word = (name: string, count: number) => ({
    word: name,
    alone: ratio(count ? 2 : null, count),
    parent: ratio(count ? 3 : null, count),
    parent_among_phrases: ratio(count ? 1.5 : null, count),
  });
  const contrast = { average: mean(0.4), words: [word("not", 9), word("whereas", 0)] };
  const heaviest = [{ word: "not", text: "Not good.", score: 3.25 }];
  await shown(<ContrastTables results={results({ contrast, heaviest })} />);
  expect(leadsTo(screen.getByText("3.25"))).toEqual({
    text: "Not good.",
    model: "m",
    tree: "ls-tree",
    only: "tree",
  });
  expect(screen.queryByText("whereas")).toBeNull();
  expect(within(screen.getByRole("row", { name: /^not/ })).getByText("1.50")).toBeDefined();
});

const fit = {
  model: "m",
  found: share(30, 40),
  left_out: 0,
  linear: mean(0.5),
  one: mean(0.4),
  last: mean(0.3),
  first_gain: mean(0.1),
  further_gain: mean(0.1),
  first_p: 0.0004,
  further_p: 0.5,
  errors: [],
};
const signs = {
  words: ["not", "good"],
  model: "m",
  texts: 50,
  sign: -1,
  same: share(39, 40),
  clear: share(38, 38),
  mean: mean(-2),
  gap: 1,
  random: mean(0.885, 10),
  rank: 0.091,
  occurrences: [
    { text: "Not good.", places: [0, 1], contribution: -2, standard_error: 0.1, sign: -1, clear: true },
  ],
  random_pairs: [],
};

const tested = (p: number, loss: number | null) => ({
  train: { variance: mean(0.25, 60), loss, accuracy: loss === null ? null : 0.95 },
  test: { variance: mean(0.5), loss, accuracy: loss === null ? null : 0.9 },
  difference: 0.25,
  p,
  permutations: 9999,
});

test("overfitting is drawn over models, with the loss where there are labels", () => {
  const models = [
    { model: "epoch-1", overfitting: tested(0.4, 0.6) },
    { model: "epoch-2", overfitting: tested(0.0125, 0.5) },
  ];
  render(<Overfitting results={results(...models)} />);
  const said = screen.getAllByRole("img").map((figure) => figure.getAttribute("aria-label"));
  expect(said).toEqual([
    "Loss of 2 models; of the last, epoch-2: training texts 0.500, others 0.500",
    "Variance of scores of 2 models; of the last, epoch-2: training texts 0.250, others 0.500",
    "p of the test of 2 models; of the last, epoch-2: p 0.013, 5 % 0.050",
  ]);
  expect(screen.getByRole("row", { name: /^epoch-2/ }).textContent).toContain(
    "0.01250.500 / 0.5000.950 / 0.900",
  );
  const unlabelled = testsOf(results({ overfitting: tested(0.4, null) }));
  expect(figuresOf(unlabelled).map(({ title }) => title)).toEqual(["Variance of scores", "p of the test"]);
});

test("one model has no curve, and a form without training texts says so", () => {
  render(<Overfitting results={results({ overfitting: tested(0.4, null) })} />);
  expect(screen.queryAllByRole("img")).toEqual([]);
  expect(screen.getByRole("row", { name: /^m/ }).textContent).toContain("––");
  const draft = { ...FIRST_DIAGNOSIS, models: ["m"], diagnostics: ["overfitting"] };
  expect(lackingDiagnosis(draft)).toBe("Choose a file of texts that the models were trained on.");
  const training = { name: "train.tsv", content: "text\nGood." };
  expect(lackingDiagnosis({ ...draft, training })).toBeNull();
  expect(toDiagnosis({ ...draft, training }).training).toEqual({ kind: "file", ...training });
});

test("fits and signs are shown with what they are compared with, and their texts", async () => {
  const found = results({ fit, context_free: [signs] });
  render(<FitTable results={found} />);
  expect(screen.getByText("30 of 40")).toBeDefined();
  await shown(<ContextFreeTable results={found} />);
  const row = screen.getByRole("row", { name: /^not … good/ });
  for (const said of ["− negative", "0.975", "0.885", "0.091", "40 of 50"])
    expect(row.textContent).toContain(said);
  expect(screen.getByText("Not good.")).toBeDefined();
  expect(leadsTo(screen.getByText("−2.00"))).toMatchObject({ text: "Not good.", levels: "mahe" });
});

test("a report has a table for each diagnostic that was asked for, and lets no text become markup", () => {
  const linearity = { words: mean(0.75), phrases: mean(null) };
  const words = [
    { word: "not", alone: ratio(2, 9), parent: ratio(3, 9), parent_among_phrases: ratio(1.5, 9) },
  ];
  const found = results({
    linearity,
    contrast: { average: mean(0.4), words },
    fit,
    context_free: [signs],
    overfitting: tested(0.5, 1),
  });
  const design = { title: "<b>D</b>", models: ["m"], linear: "bag", diagnostics: ["fit" as const] };
  const said = diagnosisReport({ design } as DiagnosisDocument, found);
  expect(said.tables.map(({ title }) => title)).toEqual([
    "Correlation with bag",
    "Words of contrast: m",
    "Overfitting",
    "Fit by number of interactions",
    "Free of the context?",
  ]);
  for (const { head, rows } of said.tables)
    for (const { cells } of rows) expect(cells).toHaveLength(head.length - 1);
  const page = report(said, { pictures: [], link: "http://here/lab/x", date: new Date(0) });
  for (const shown of ["&lt;b&gt;D", "0.750<br><small>0.650 to 0.850", "We diagnosed m.", "− negative"])
    expect(page).toContain(shown);
  expect(page).not.toContain("Pictures");
});

test("a number of a sentence stands beside those of its method", () => {
  const design = { models: ["a", "b"] };
  const run = diagnosisSentences({ design, texts: 40 } as unknown as DiagnosisDocument, results({}));
  const lines = ["ls-tree", "mahe"].map((method) => ({ model: "b", method, reference: "pad" }));
  expect(lines.map((line) => run.has(line, "top-depth"))).toEqual([true, false]);
  expect(lines.map((line) => run.has(line, "error"))).toEqual([false, true]);
  expect(lines.map((line) => [run.name(line), run.series(line)])).toEqual([
    ["b", 1],
    ["b", 1],
  ]);
});

test("what was not asked for is not there", () => {
  const { container } = render(
    <>
      <LinearityTable results={results({})} linear="" />
      <Depths results={results({})} />
      <ContrastTables results={results({})} />
      <Overfitting results={results({})} />
      <FitTable results={results({})} />
      <ContextFreeTable results={results({})} />
    </>,
  );
  expect(container.innerHTML).toBe("");
});
