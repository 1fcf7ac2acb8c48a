/** How pictures write numbers: as the server's own pictures and findings do, so that both say the same. */

export const MINUS = "−";
const MOST_DECIMALS = 6;

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
    largest >= 0.1 || largest === 0 ? 2 : Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(largest)));
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

/** A number as it came, for data attributes: reading it back gives the same number. */
export const exactly = (value: number): string => String(value);
