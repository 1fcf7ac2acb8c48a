/** How the Lab's pages put things. */
import type { EvaluationDesign, EvaluationDocument, TableLine } from "./documents";

export const STATUS: Record<EvaluationDocument["status"], string> = {
  running: "Running",
  finished: "Finished",
  cancelled: "Cancelled",
  failed: "Failed",
};

const BASELINES: Record<string, string> = {
  "random-order": "random order",
  "best-order": "best order found",
};

export const listed = (names: readonly string[]) => names.join(", ");

/** Who made the explanations that were brought to a run. */
export const broughtBy = ({ explanations }: EvaluationDesign): readonly string[] =>
  explanations?.kind === "kept" ? explanations.explainers : [];

export const explainedBy = (design: EvaluationDesign) =>
  listed([...(design.methods ?? []).map(({ method }) => method), ...broughtBy(design)]);

export const titleOf = ({ design }: EvaluationDocument) =>
  design.title || `${explainedBy(design)} on ${listed(design.models)}`;

/** A line of the table: the reference only where there are several. */
export function lineName(line: Pick<TableLine, "method" | "reference">, design: EvaluationDesign): string {
  const name = BASELINES[line.method] ?? line.method;
  return line.reference && (design.references?.length ?? 1) > 1 ? `${name}, ${line.reference}` : name;
}

export function sourceOf({ dataset }: Pick<EvaluationDesign, "dataset">): string {
  if (dataset?.kind === "kept" || dataset?.kind === "file") return dataset.name;
  return `${dataset?.kind === "samples" ? dataset.task : ""} samples`;
}

export const number = (value: number | null | undefined, digits = 3) =>
  value === null || value === undefined ? "–" : value.toFixed(digits).replace("-", "−");

export const large = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 });

/** Seconds in the two largest units that say something. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.round((seconds - hours * 3600) / 60);
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
