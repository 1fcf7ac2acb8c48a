/** All views, in the order the workbench shows them. A new view is a folder beside this file and a line here. */
import graph from "./graph";
import interactions from "./interactions";
import ladder from "./ladder";
import tokens from "./tokens";
import tree from "./tree";
import type { View } from "./view";

export const views: readonly View[] = [tree, ladder, graph, interactions, tokens];
