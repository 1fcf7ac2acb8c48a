/** Interactions, of whichever method found them. */

import type { ViewProps } from "../view";
import { Levels } from "./Levels";
import { Pairs } from "./Pairs";
import { hasLevels, hasPairs } from "./result";
import "./interactions.css";

export function Picture(props: ViewProps) {
  const { explanation } = props;
  if (hasLevels(explanation)) return <Levels {...props} explanation={explanation} />;
  if (hasPairs(explanation)) return <Pairs {...props} explanation={explanation} />;
  return null;
}
