import type { View } from "../view";
import { HowToRead, Legend } from "./about";
import { largest, table } from "./result";
import { TokensPicture } from "./TokensPicture";

const tokens: View<"tokens"> = {
  name: "tokens",
  title: "Tokens",
  usual: "shap",
  finds: "words",
  Picture: TokensPicture,
  Legend,
  HowToRead,
  draws: () => true,
  largest,
  table,
};

export default tokens;
