import { expect, test } from "vitest";
import { moreDraws, morePrecise, roughWords, usualSettings, whatItBuys, withoutShortCuts } from "./budgets";

test("methods that draw from the same pool ask for as many coalitions", () => {
  const text = "You won't find a kinder film this year.";
  const shap = { algorithm: { enum: ["auto"] }, budget: { ...BUDGET, buys_precision: true } };
  const asiv = { budget: { ...BUDGET, buys_precision: true }, seed: { default: 0 } };
  expect(usualSettings(shap, text)).toEqual({ budget: 1024 });
  expect(usualSettings(asiv, text)).toEqual(usualSettings(shap, text));
  expect(usualSettings(shap, text, true)).toEqual({ budget: 256 });
});

test("a long text gets at least what MAHE needs", () => {
  const text = "word ".repeat(150);
  const mahe = { samples: { type: "integer", default: 2000, buys_precision: true, for_each_player: 10 } };
  expect(usualSettings(mahe, text).samples).toBeGreaterThanOrEqual(10 * 151);
  expect(usualSettings(mahe, "good")).toEqual({ samples: 1000 });
});

test("a method that says nothing of its work is left to itself", () => {
  const lime = { samples: { type: "integer", default: 1000, buys_precision: true } };
  expect(usualSettings(lime, "good film")).toEqual({});
  expect(usualSettings({}, "good film")).toEqual({});
});

const HEDGE = {
  window: { type: "integer", default: 2 },
  form: {
    enum: ["exact", "economical"],
    default: "exact",
    long_sentences: { value: "economical", more_than: 40, up_to: 80 },
  },
};

test("a sentence of more than forty words takes the economical form, as long as it can have so many", () => {
  const form = (words: number) => usualSettings(HEDGE, "word ".repeat(words)).form;
  expect([form(40), form(41), form(80), form(81)]).toEqual([
    undefined,
    "economical",
    "economical",
    undefined,
  ]);
});

test("phrases and sentences are few: their number is not that of the words", () => {
  expect(usualSettings(HEDGE, "word ".repeat(60), false, false)).toEqual({});
});

test("the exact form is offered where the economical one was taken, whoever chose it", () => {
  expect(withoutShortCuts(HEDGE, { window: 3, form: "economical" })).toEqual({ form: "exact" });
  expect(withoutShortCuts(HEDGE, { form: "exact" })).toBeNull();
  expect(withoutShortCuts(HEDGE, {})).toBeNull();
});

test("words are never counted too few", () => {
  expect(roughWords("He didn't, really?")).toBeGreaterThanOrEqual(6);
  expect(roughWords("")).toBe(0);
});

const BUDGET = { anyOf: [{ type: "integer", maximum: 2 ** 18 }, { type: "null" }], default: null };
const DRAWS = { type: "integer", default: 5, maximum: 1000, buys_precision: true };

test("more precise is four times the work, up to the limit", () => {
  const shap = { algorithm: { enum: ["auto"] }, budget: { ...BUDGET, buys_precision: true } };
  expect(morePrecise(shap, { budget: 1024 })).toEqual({ budget: 4096 });
  expect(morePrecise(shap, { budget: 200_000 })).toEqual({ budget: 2 ** 18 });
  expect(morePrecise(shap, { budget: 2 ** 18 })).toBeNull();
});

test("a setting that nobody has touched grows from the method's own default", () => {
  expect(morePrecise({ radius: { default: 3 }, draws: DRAWS }, {})).toEqual({ draws: 20 });
});

test("a method that says nothing of precision has no more of it", () => {
  expect(morePrecise({ budget: BUDGET }, { budget: 1024 })).toBeNull();
  expect(morePrecise({}, {})).toBeNull();
});

test("half the error is promised only where numbers are drawn", () => {
  expect(whatItBuys({ draws: DRAWS, seed: { default: 0 } })).toContain("half the error");
  expect(whatItBuys({ steps: DRAWS })).not.toContain("error");
});

const REFERENCES = [
  { name: "pad" as const, description: "", draws: 1, most_draws: 1, filler: null },
  { name: "conditional" as const, description: "", draws: 4, most_draws: 64, filler: "mlm-general" },
];

function drawn(
  draw_error: number | null,
  error: number | null,
  draws = 4,
  fill: "drawn" | "likeliest" = "drawn",
) {
  const spans = [{ start: 0, end: 1, score: 1, level: 0, parent: null, error, draw_error }];
  return {
    reference: "conditional" as const,
    draws,
    fill,
    reading: { exact: error === null, spans, pairs: [] },
  };
}

test("an exact result over a few draws can buy draws, up to the most there are", () => {
  expect(moreDraws(REFERENCES, drawn(0.1, null))).toBe(16);
  expect(moreDraws(REFERENCES, drawn(0.1, null, 32))).toBe(64);
  expect(moreDraws(REFERENCES, drawn(0.1, null, 64))).toBeNull();
});

test("draws are offered where their error is the larger one, or not known", () => {
  expect(moreDraws(REFERENCES, drawn(0.1, 0.05))).toBe(16);
  expect(moreDraws(REFERENCES, drawn(0.05, 0.1))).toBeNull();
  expect(moreDraws(REFERENCES, drawn(null, 0.1))).toBe(16);
  expect(moreDraws(REFERENCES, drawn(0, null))).toBeNull();
});

test("nothing is drawn by other references, or where the likeliest word stands in", () => {
  expect(moreDraws(REFERENCES, { ...drawn(null, null, 1), reference: "pad", fill: null })).toBeNull();
  expect(moreDraws(REFERENCES, drawn(null, null, 1, "likeliest"))).toBeNull();
});
