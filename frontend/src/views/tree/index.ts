import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { largest, table, treeOf } from "./result";
import { TreePicture } from "./TreePicture";

const tree: View<"tree"> = {
  name: "tree",
  title: "Tree",
  usual: "ls-tree",
  finds: "phrases",
  Picture: TreePicture,
  Legend,
  HowToRead,
  draws: (explanation) => treeOf(explanation) !== null,
  largest,
  table,
};

export default tree;
