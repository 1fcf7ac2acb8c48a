/** All views, in the order the workbench shows them. A new view is a folder beside this file and a line here. */
import type { Explanation } from "../explanation";
import graph from "./graph";
import interactions from "./interactions";
import ladder from "./ladder";
import tokens from "./tokens";
import tree from "./tree";
import type { View, ViewName } from "./view";

export const views: readonly View[] = [tree, ladder, graph, interactions, tokens];

/**
 * What draws an explanation where a view shows it: the view itself, or the bars. They draw the reading that every
 * result has, so a method from elsewhere need not bring a picture.
 */
export function drawnBy(view: View, explanation: Explanation): View {
  return view.draws(explanation) ? view : tokens;
}

/** The view of a method: the one it names, or the bars where nobody here knows that one. */
export function viewOf(method: { view: string }): ViewName {
  return (views.find(({ name }) => name === method.view) ?? tokens).name;
}
