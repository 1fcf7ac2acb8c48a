import type { View } from "../view";
import { HowToRead, Legend, largest, table } from "./explain";
import { Picture } from "./Picture";
import { isGraph } from "./result";

const graph: View = {
  name: "graph",
  title: "Graph",
  Picture,
  Legend,
  HowToRead,
  draws: isGraph,
  largest,
  table,
};

export default graph;
