/**
 * All views, in the order the workbench shows them. A new view is a folder beside this file and a line here: what else
 * has to be known of it (its name in addresses, the method it opens with, what it finds) stands in its record.
 */
import graph from "./graph";
import interactions from "./interactions";
import ladder from "./ladder";
import tokens from "./tokens";
import tree from "./tree";

export const registered = [tree, ladder, graph, interactions, tokens] as const;

export type ViewName = (typeof registered)[number]["name"];
