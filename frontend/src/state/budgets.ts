/**
 * How much work a picture is worth when it opens: all five together within seconds on a laptop without a GPU. What a
 * method does with no more than a few hundred evaluations is left to itself.
 */
import type { PropertySchema } from "../service/catalog";
import type { Settings } from "./question";

/** Distinct coalitions: all of them up to ten words, and the same ones for every method that draws from the pool. */
const COALITIONS = 1024;
const SAMPLES = 1000;
/** A language model is many times as large as a classifier here. */
const SPOKEN_COALITIONS = 256;
const SPOKEN_SAMPLES = 300;

/** Each step is four times the work and, where numbers are drawn, about half the error. */
const STEP = 4;

/** An upper bound of the words, from the text alone: the same link must ask for the same numbers. */
export function roughWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

/** What the interface asks of a method that the reader has not set up otherwise. */
export function usualSettings(method: string, text: string, nextWords = false): Settings {
  const words = roughWords(text);
  const [coalitions, samples] = nextWords ? [SPOKEN_COALITIONS, SPOKEN_SAMPLES] : [COALITIONS, SAMPLES];
  if (method === "asiv" || method === "shap") return { budget: Math.max(coalitions, 8 * words) };
  // Ten samples for each coefficient are the least that MAHE takes.
  if (method === "mahe") return { samples: Math.max(samples, 10 * (words + 2)) };
  return {};
}

/**
 * The settings one step more precise than these: nothing where the method's description names no setting that buys
 * precision, where nobody knows how much of it is spent now, or where the end is reached.
 */
export function morePrecise(schemas: Record<string, PropertySchema>, current: Settings): Settings | null {
  const [name, schema] = Object.entries(schemas).find(([, { buys_precision }]) => buys_precision) ?? [];
  if (name === undefined || schema === undefined) return null;
  const now = current[name] ?? schema.default;
  const most =
    schema.maximum ??
    schema.anyOf?.find(({ maximum }) => maximum !== undefined)?.maximum ??
    Number.POSITIVE_INFINITY;
  return typeof now === "number" && now < most ? { [name]: Math.min(now * STEP, most) } : null;
}

/** What such a step does. Only numbers that are drawn at random have an error that is known to shrink. */
export function whatItBuys(schemas: Record<string, PropertySchema>): string {
  return "seed" in schemas ? "four times the evaluations, about half the error" : "four times the work";
}
