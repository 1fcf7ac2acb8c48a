import type { View } from "../view";
import { HowToRead, Legend, largest, table } from "./explain";
import { Picture } from "./Picture";

const interactions: View = {
  name: "interactions",
  title: "Interactions",
  Picture,
  Legend,
  HowToRead,
  largest,
  table,
};

export default interactions;
