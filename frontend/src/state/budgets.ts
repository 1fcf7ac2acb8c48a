/**
 * How much work a picture is worth when it opens: all five together within seconds on a laptop without a GPU. What a
 * method does with no more than a few hundred evaluations is left to itself.
 */
import type { Settings } from "./question";

/** Distinct coalitions: all of them up to ten words, and the same ones for every method that draws from the pool. */
const COALITIONS = 1024;
const SAMPLES = 1000;

/** The parameter that buys precision, by method. */
const PRECISION: Record<string, string> = {
  asiv: "budget",
  "asiv-published": "orders",
  shap: "budget",
  mahe: "samples",
  lime: "samples",
  soc: "samples",
  "sampled-shapley": "orders",
  "integrated-gradients": "steps",
};

/** Each step is four times the work and, where numbers are drawn, about half the error. */
const STEP = 4;

/** An upper bound of the words, from the text alone: the same link must ask for the same numbers. */
export function roughWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

/** What the interface asks of a method that the reader has not set up otherwise. */
export function usualSettings(method: string, text: string): Settings {
  const words = roughWords(text);
  if (method === "asiv" || method === "shap") return { budget: Math.max(COALITIONS, 8 * words) };
  // Ten samples for each coefficient are the least that MAHE takes.
  if (method === "mahe") return { samples: Math.max(SAMPLES, 10 * (words + 2)) };
  return {};
}

/** The settings one step more precise than these, or nothing where a method has no such step or the end is reached. */
export function morePrecise(method: string, current: Settings, limits: Limits): Settings | null {
  const name = PRECISION[method];
  if (!name) return null;
  const now = current[name];
  const most = limits.maximum(name);
  if (typeof now !== "number" || (most !== null && now >= most)) return null;
  return { [name]: Math.min(now * STEP, most ?? Number.POSITIVE_INFINITY) };
}

export interface Limits {
  maximum(parameter: string): number | null;
}
