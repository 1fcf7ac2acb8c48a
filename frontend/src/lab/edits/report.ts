/** What an edit says in its report. */
import type { EditDocument, EditResults } from "../documents";
import type { Report } from "../report";
import { large, sourceOf } from "../wording";
import { linesOf, NUMBERS_NOTE } from "./NumbersTable";
import { editedHow, editTitle, finding, signed } from "./wording";

export function editReport(run: EditDocument, results: EditResults): Report {
  return {
    title: editTitle(run),
    lead: `${editedHow(run.design)}, in “${results.text}”; ${large(run.texts)} texts (${sourceOf(run.design)}), seed ${results.seed}`,
    warnings: [finding(results), ...results.warnings],
    tables: [
      {
        title: "Before and after",
        head: ["What", "Before", "After"],
        rows: linesOf(results).map(({ name, before, after, digits }) => ({
          name,
          cells: [before, after].map((cell) =>
            cell === null || typeof cell === "string" ? (cell ?? "") : { ...cell, digits },
          ),
        })),
        note: NUMBERS_NOTE,
      },
      {
        title: "In the other texts",
        head: ["Text", "Before", "After"],
        rows: results.occurrences.map(({ text, before, after }) => ({
          name: text,
          cells: [signed(before), signed(after)],
        })),
        note: `The term of ${results.words.join(" … ")} for ${results.target}, in log-odds.`,
      },
    ],
    paragraph: results.paragraph,
  };
}
