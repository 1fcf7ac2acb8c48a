import { expect, test } from "vitest";
import { morePrecise, roughWords, usualSettings } from "./budgets";

const limited = { maximum: (name: string) => (name === "budget" ? 2 ** 18 : null) };

test("methods that draw from the same pool ask for as many coalitions", () => {
  const text = "You won't find a kinder film this year.";
  expect(usualSettings("shap", text)).toEqual(usualSettings("asiv", text));
});

test("a long text gets at least what MAHE needs", () => {
  const text = "word ".repeat(150);
  expect(usualSettings("mahe", text).samples).toBeGreaterThanOrEqual(10 * 151);
});

test("words are never counted too few", () => {
  expect(roughWords("He didn't, really?")).toBeGreaterThanOrEqual(6);
  expect(roughWords("")).toBe(0);
});

test("more precise is four times the work, up to the limit", () => {
  expect(morePrecise("shap", { budget: 1024 }, limited)).toEqual({ budget: 4096 });
  expect(morePrecise("shap", { budget: 200_000 }, limited)).toEqual({ budget: 2 ** 18 });
  expect(morePrecise("shap", { budget: 2 ** 18 }, limited)).toBeNull();
  expect(morePrecise("ls-tree", {}, limited)).toBeNull();
});
