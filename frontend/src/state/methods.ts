/** Which of the catalog's methods a view offers. */
import type { Catalog, MethodEntry } from "../service/catalog";
import { type ViewName, viewOf } from "../views/registry";

/** The methods of a view that can explain a model: some look inside, which not every model lets. */
export function methodsFor(catalog: Catalog, view: ViewName, model: string): MethodEntry[] {
  return catalog.methods.filter((method) => viewOf(method).name === view && method.models.includes(model));
}
