import type { View } from "../view";
import { HowToRead, Legend, largest, table } from "./explain";
import { Picture } from "./Picture";
import { isGraph } from "./result";

const graph: View<"graph"> = {
  name: "graph",
  title: "Graph",
  usual: "asiv",
  finds: "words",
  Picture,
  Legend,
  HowToRead,
  draws: isGraph,
  largest,
  table,
};

export default graph;
