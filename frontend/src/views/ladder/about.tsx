import type { Explanation } from "../../explanation";
import { targetClass } from "../../explanation";
import { percent, ScaleLegend } from "../../marks";
import { isMerging, ladderOf, SURE } from "./result";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  const result = ladderOf(explanation);
  const merging = result !== null && isMerging(result);
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      <span>
        block: what these words say alone · ring: the top phrase ·{" "}
        {merging ? "dash: joined here" : "tick: parted here"}
        {result?.form === "economical" && ` · dotted tick: less than ${percent(SURE)} sure`}
      </span>
    </ScaleLegend>
  );
}

export function HowToRead() {
  return (
    <>
      <p>
        Each row is the whole text, cut into blocks. From one row to the next, blocks come apart or grow
        together.
      </p>
      <p>
        The colour of a block says what the model answers when it sees only these words: purple and + for the
        class, orange and − against it.
      </p>
      <p>
        HEDGE starts with the whole text and always cuts where the two sides have least to do with each other.
        Words that stay together for long belong together for the model.
      </p>
      <p>
        In its economical form, for long sentences, HEDGE runs the model only as far as it takes to know which
        cut is the weakest, and says how sure it is of each. What the blocks say is exact in either form.
      </p>
      <p>The ring marks the short phrase that speaks most for the class on its own.</p>
      <p>Play, or move the slider, to see the rows one by one.</p>
    </>
  );
}
