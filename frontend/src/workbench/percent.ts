/** One decimal; what is not certain never reads as certain. */
export function percent(probability: number): string {
  if (probability > 0.9995 && probability < 1) return ">99.9%";
  if (probability < 0.0005 && probability > 0) return "<0.1%";
  return `${(probability * 100).toFixed(1)}%`;
}

/** A change of a probability, in percentage points. */
export function points(change: number): string {
  const rounded = (Math.abs(change) * 100).toFixed(1);
  const sign = rounded === "0.0" ? "±" : change > 0 ? "+" : "−";
  return `${sign}${rounded} points`;
}
