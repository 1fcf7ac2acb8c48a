/** What pictures are composed of. */
import "./marks.css";

export { Chip } from "./Chip";
export { type Face, fitted, SANS, SERIF, textWidth } from "./measure";
export { exactly, MINUS, NINETY_FIVE, type Numbers, numbersLike, percent, WHISKER } from "./numbers";
export { blockCourse, type Paragraph, type Slot, type Stretch, setParagraph, stretches } from "./paragraph";
export { type Fact, Readout } from "./Readout";
export { type Lit, litBy, Ring } from "./Ring";
export { ScaleLegend } from "./ScaleLegend";
export { Stage } from "./Stage";
export { dataAt, useMarks } from "./useMarks";
export {
  KINDS,
  phraseOf,
  playerNames,
  printable,
  quoted,
  shortened,
  textOf,
  type Worded,
} from "./words";
