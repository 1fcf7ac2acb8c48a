/** Kendall's tau as it is written: with its sign, and a dash where there is none. */
export function tau(value: number | null): string {
  if (value === null) return "–";
  const written = Math.abs(value).toFixed(2);
  return value < 0 && Number(written) !== 0 ? `−${written}` : written;
}
