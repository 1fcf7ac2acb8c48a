/** What a run of measures says in its report. */
import type { EvaluationDocument, EvaluationResults } from "./documents";
import { meanOf } from "./NumberCell";
import type { Report, Table } from "./report";
import { large, lineName, sourceOf, titleOf } from "./wording";

export const measureReport = (run: EvaluationDocument, results: EvaluationResults): Report => ({
  title: titleOf(run),
  lead: `${large(results.texts)} texts (${sourceOf(run.design)}), seed ${results.seed}, ${large(results.draws)} bootstrap draws`,
  warnings: results.warnings,
  tables: run.design.models.flatMap((model) => [table(model, run, results), ...gauge(model, run, results)]),
  paragraph: results.paragraph,
});

function table(model: string, run: EvaluationDocument, results: EvaluationResults): Table {
  const measures = results.measures.map(({ title, better }) => `${title} ${better === "higher" ? "↑" : "↓"}`);
  const lines = results.lines.filter((line) => line.model === model);
  return {
    title: model,
    head: ["Method", ...measures, "Evaluations"],
    rows: lines.map((line) => ({
      name: lineName(line, run.design),
      cells: [
        ...line.cells.map(({ interval, best = false }) => ({ ...meanOf(interval), best })),
        line.evaluations.mean === null ? "" : large(line.evaluations.mean),
      ],
      quiet: line.baseline,
    })),
    note: "Bold beats every other method in a paired sign-flip test after Holm’s correction.",
  };
}

/** How strange the operators' texts are; none in a run without the gauge. */
function gauge(model: string, run: EvaluationDocument, results: EvaluationResults): Table[] {
  const lines = (results.operators ?? []).filter((line) => line.model === model);
  const head = lines.find(({ cells }) => cells.length > 0)?.cells ?? [];
  if (head.length === 0) return [];
  return [
    {
      title: `${model}: how strange the operators’ texts are`,
      head: ["Operator", ...head.map((cell) => lineName(cell, run.design))],
      rows: lines.map(({ operator, cells, reason }) => ({
        name: reason ? `${operator} ${reason}` : operator,
        cells: reason
          ? head.map(() => "")
          : cells.map(({ interval }) => ({ ...meanOf(interval), digits: 2 })),
      })),
      note: "Bits a word that a small language model is more surprised by a text without 20 % of its words than by the whole one.",
    },
  ];
}
