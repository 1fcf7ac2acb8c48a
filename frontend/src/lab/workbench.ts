/** The way from a number of the Lab to its sentence. */
import { USUAL_REFERENCE } from "../explanation";
import type { Catalog } from "../service/catalog";
import type { Against } from "../state/question";
import type { TableLine } from "./documents";

/** The question that the workbench answers with this sentence, explained in this way. */
export function toWorkbench(
  text: string,
  line: Pick<TableLine, "model" | "method" | "reference">,
  catalog: Catalog | undefined,
): Record<string, string> {
  const view = catalog?.methods.find(({ name }) => name === line.method)?.view;
  return {
    text,
    model: line.model,
    ...(line.reference && line.reference !== USUAL_REFERENCE ? { reference: line.reference } : {}),
    ...(view ? { [view]: line.method, only: view } : {}),
  };
}

/** The same with another model beside it, on one colour scale. */
export function toComparison(
  text: string,
  model: string,
  other: string,
  catalog: Catalog | undefined,
): Record<string, unknown> {
  const against: Against = { model: other };
  return { ...toWorkbench(text, { model, method: "mahe", reference: "" }, catalog), against };
}
