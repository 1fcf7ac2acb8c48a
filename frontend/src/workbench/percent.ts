export { percent } from "../marks";

/** A change of a probability, in percentage points. */
export function points(change: number): string {
  const rounded = (Math.abs(change) * 100).toFixed(1);
  const sign = rounded === "0.0" ? "±" : change > 0 ? "+" : "−";
  return `${sign}${rounded} points`;
}
