import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { largest, table } from "./result";
import { TokensPicture } from "./TokensPicture";

const tokens: View = {
  name: "tokens",
  title: "Tokens",
  Picture: TokensPicture,
  Legend,
  HowToRead,
  draws: () => true,
  largest,
  table,
};

export default tokens;
