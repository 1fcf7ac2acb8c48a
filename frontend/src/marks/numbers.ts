/** How pictures write numbers: as the server's own pictures and findings do, so that both say the same. */

import appearance from "../appearance";

const FORM = appearance.numbers;
export const MINUS = FORM.minus;

/** Standard errors to either side that hold a value in 95 of 100 draws: what whiskers reach. */
export const NINETY_FIVE = appearance.thresholds.ninety_five;

/** What stands under pictures with whiskers. */
export const WHISKER = appearance.captions.whisker;

/** Numbers of one picture, all with as many decimals: two, or more where even the largest is small. */
export type Numbers = {
  readonly decimals: number;
  /** With + or −, and neither for what rounds to zero. */
  signed(value: number): string;
  plain(value: number): string;
  /** “ ± 0.03”; a small error is not written as none. */
  error(value: number): string;
};

export function numbersLike(values: Iterable<number>): Numbers {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const decimals =
    largest >= FORM.small_below || largest === 0
      ? FORM.decimals
      : Math.min(FORM.most_decimals, FORM.decimals - 1 - Math.floor(Math.log10(largest)));
  const isZero = (value: number) => Number(value.toFixed(decimals)) === 0;
  const plain = (value: number) =>
    (value >= 0 || isZero(value) ? "" : MINUS) + Math.abs(value).toFixed(decimals);
  return {
    decimals,
    plain,
    signed: (value) => (value > 0 && !isZero(value) ? "+" : "") + plain(value),
    error: (value) =>
      value > 0 && isZero(value)
        ? ` ± <${(10 ** -decimals).toFixed(decimals)}`
        : ` ± ${value.toFixed(decimals)}`,
  };
}

/** One decimal, and never a certainty that is not there. */
export function percent(share: number): string {
  const decimals = FORM.percent_decimals;
  const [written, least] = [(100 * share).toFixed(decimals), 10 ** -decimals];
  if (share < 1 && Number(written) >= 100) return `>${(100 - least).toFixed(decimals)}%`;
  return share > 0 && Number(written) === 0 ? `<${least.toFixed(decimals)}%` : `${written}%`;
}

/** A number as it came, for data attributes: reading it back gives the same number. */
export const exactly = (value: number): string => String(value);
