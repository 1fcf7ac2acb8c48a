/**
 * How much work a picture is worth when it opens: all five together within seconds on a laptop without a GPU. What a
 * method does with no more than a few hundred evaluations is left to itself.
 */
import type { Explanation } from "../explanation";
import type { Catalog, PropertySchema } from "../service/catalog";
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

/**
 * What the interface asks of a method that the reader has not set up otherwise. A setting that buys precision and has no
 * value of its own is a number of coalitions, which the method would choose by the words; one that each player takes a
 * part of is a number of samples. Where words come and go, one by one, a long sentence takes the form made for it.
 */
export function usualSettings(
  schemas: Record<string, PropertySchema>,
  text: string,
  nextWords = false,
  byWords = true,
): Settings {
  const words = roughWords(text);
  return { ...worth(schemas, words, nextWords), ...(byWords ? shortCuts(schemas, words) : {}) };
}

function worth(schemas: Record<string, PropertySchema>, words: number, nextWords: boolean): Settings {
  const [name, schema] = precisionOf(schemas);
  if (name === undefined || schema === undefined) return {};
  const [coalitions, samples] = nextWords ? [SPOKEN_COALITIONS, SPOKEN_SAMPLES] : [COALITIONS, SAMPLES];
  if (schema.default === null) return { [name]: Math.max(coalitions, 8 * words) };
  // There is a coefficient besides those of the players, and words are counted roughly.
  const each = schema.for_each_player;
  return each === undefined ? {} : { [name]: Math.max(samples, each * (words + 2)) };
}

/** The values that do with less work on so many words: never on more of them than such a form can have. */
function shortCuts(schemas: Record<string, PropertySchema>, words: number): Settings {
  const fitting = Object.entries(schemas).flatMap(([name, { long_sentences: long }]) =>
    long && words > long.more_than && words <= long.up_to ? [[name, long.value]] : [],
  );
  return Object.fromEntries(fitting);
}

/** The settings that take no short cut, where these take one. */
export function withoutShortCuts(
  schemas: Record<string, PropertySchema>,
  current: Settings,
): Settings | null {
  const taken = Object.entries(schemas).filter(
    ([name, { long_sentences }]) => long_sentences && current[name] === long_sentences.value,
  );
  return taken.length === 0
    ? null
    : Object.fromEntries(taken.map(([name, schema]) => [name, schema.default]));
}

function precisionOf(schemas: Record<string, PropertySchema>): [string, PropertySchema] | [] {
  return Object.entries(schemas).find(([, { buys_precision }]) => buys_precision) ?? [];
}

/**
 * The settings one step more precise than these: nothing where the method's description names no setting that buys
 * precision, where nobody knows how much of it is spent now, or where the end is reached.
 */
export function morePrecise(schemas: Record<string, PropertySchema>, current: Settings): Settings | null {
  const [name, schema] = precisionOf(schemas);
  if (name === undefined || schema === undefined) return null;
  const now = current[name] ?? schema.default;
  const most =
    schema.maximum ??
    schema.anyOf?.find(({ maximum }) => maximum !== undefined)?.maximum ??
    Number.POSITIVE_INFINITY;
  return typeof now === "number" && now < most ? { [name]: Math.min(now * STEP, most) } : null;
}

type Drawn = Pick<Explanation, "reference" | "draws" | "fill"> & {
  reading: Pick<Explanation["reading"], "exact" | "spans" | "pairs">;
};

/**
 * Four times the draws of an explanation's reference: nothing where none are drawn, where the end is reached, or where
 * the coalitions' own error is the larger one, which more draws leave as it is.
 */
export function moreDraws(
  references: Catalog["references"],
  { reference, draws, fill, reading }: Drawn,
): number | null {
  const most = references.find(({ name }) => name === reference)?.most_draws ?? 1;
  if (draws >= most || fill === "likeliest") return null;
  const scores = [...reading.spans, ...reading.pairs];
  const largest = (errors: (number | null | undefined)[]) =>
    Math.max(0, ...errors.map((error) => error ?? 0));
  const known = scores.some(({ draw_error }) => typeof draw_error === "number");
  const drawn = largest(scores.map(({ draw_error }) => draw_error));
  const matters = !known || (drawn > 0 && drawn >= largest(scores.map(({ error }) => error)));
  return matters ? Math.min(draws * STEP, most) : null;
}

/** What such a step does. Only numbers that are drawn at random have an error that is known to shrink. */
export function whatItBuys(schemas: Record<string, PropertySchema>): string {
  return "seed" in schemas ? "four times the evaluations, about half the error" : "four times the work";
}
