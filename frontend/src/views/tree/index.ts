import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { largest, table } from "./result";
import { TreePicture } from "./TreePicture";

const tree: View = { name: "tree", title: "Tree", Picture: TreePicture, Legend, HowToRead, largest, table };

export default tree;
