import type { View } from "../view";
import { HowToRead, Legend, largest, table } from "./explain";
import { Picture } from "./Picture";
import { hasLevels, hasPairs } from "./result";

const interactions: View<"interactions"> = {
  name: "interactions",
  title: "Interactions",
  usual: "mahe",
  finds: "phrases",
  Picture,
  Legend,
  HowToRead,
  draws: (explanation) => hasLevels(explanation) || hasPairs(explanation),
  largest,
  table,
};

export default interactions;
