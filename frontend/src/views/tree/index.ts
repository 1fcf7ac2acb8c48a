import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { largest, table, treeOf } from "./result";
import { TreePicture } from "./TreePicture";

const tree: View = {
  name: "tree",
  title: "Tree",
  Picture: TreePicture,
  Legend,
  HowToRead,
  draws: (explanation) => treeOf(explanation) !== null,
  largest,
  table,
};

export default tree;
