/** All views, in the order the workbench shows them. A view is a folder beside this file with a default export. */
import type { View, ViewName } from "./view";

const ORDER: ViewName[] = ["tree", "ladder", "graph", "interactions", "tokens"];

const found = Object.values(import.meta.glob<View>("./*/index.{ts,tsx}", { eager: true, import: "default" }));

export const views: View[] = ORDER.flatMap((name) => found.filter((view) => view.name === name));

export function viewNamed(name: string): View | undefined {
  return views.find((view) => view.name === name);
}
