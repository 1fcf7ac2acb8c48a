import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { LadderPicture } from "./LadderPicture";
import { ladderOf, largest, table } from "./result";

const ladder: View<"ladder"> = {
  name: "ladder",
  title: "Ladder",
  usual: "hedge",
  finds: "phrases",
  Picture: LadderPicture,
  Legend,
  HowToRead,
  draws: (explanation) => ladderOf(explanation) !== null,
  largest,
  table,
};

export default ladder;
