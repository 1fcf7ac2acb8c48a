import type { View } from "../view";
import { HowToRead, Legend, largest, table } from "./explain";
import { Picture } from "./Picture";

const graph: View = { name: "graph", title: "Graph", Picture, Legend, HowToRead, largest, table };

export default graph;
