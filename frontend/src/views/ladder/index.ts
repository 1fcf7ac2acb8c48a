import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { LadderPicture } from "./LadderPicture";
import { ladderOf, largest, table } from "./result";

const ladder: View = {
  name: "ladder",
  title: "Ladder",
  Picture: LadderPicture,
  Legend,
  HowToRead,
  draws: (explanation) => ladderOf(explanation) !== null,
  largest,
  table,
};

export default ladder;
