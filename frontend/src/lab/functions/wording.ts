/** How the page of known functions puts its numbers. */
import type { FittedFunction } from "../documents";

/** Errors below it are drawn at it: a logarithm has no place for nothing. */
const LEAST = 1e-4;

/** Powers of ten that all errors of a page, and 1, lie between. */
export function reachOf(fitted: readonly FittedFunction[]): readonly [number, number] {
  const ends = fitted.flatMap(({ mahe, products, known }) =>
    [mahe, products, known].flatMap(({ mean, low, high }) => [mean, low, high]),
  );
  const shown = [1, ...ends.filter((end): end is number => end !== null)].map((end) => Math.max(end, LEAST));
  // Written and read again: 10 to the power of -4 is not 0.0001 to the last digit.
  const power = (value: number, round: (value: number) => number) => Number(`1e${round(Math.log10(value))}`);
  return [power(Math.min(...shown), Math.floor), Math.max(10, power(Math.max(...shown), Math.ceil))];
}

export function powers(least: number, most: number): number[] {
  const first = Math.round(Math.log10(least));
  const last = Math.round(Math.log10(most));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(`1e${first + index}`));
}

/** Two digits that say something; what is next to nothing is nothing. */
export function written(value: number | null): string {
  if (value === null) return "–";
  if (value < LEAST) return "0";
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}
