import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { LadderPicture } from "./LadderPicture";
import { largest, table } from "./result";

const ladder: View = {
  name: "ladder",
  title: "Ladder",
  Picture: LadderPicture,
  Legend,
  HowToRead,
  largest,
  table,
};

export default ladder;
