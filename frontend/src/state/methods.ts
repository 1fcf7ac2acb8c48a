/** Which of the catalog's methods a view offers. */
import type { Catalog, MethodEntry } from "../service/catalog";
import { viewOf } from "../views/registry";
import type { ViewName } from "../views/view";

/** The methods of a view that can explain a model: some look inside, which not every model lets. */
export function methodsFor(catalog: Catalog, view: ViewName, model: string): MethodEntry[] {
  return catalog.methods.filter((method) => viewOf(method) === view && method.models.includes(model));
}
