import type { Explanation } from "../../explanation";
import { targetClass } from "../../explanation";
import { ScaleLegend } from "../../marks";
import { isMerging, ladderOf } from "./result";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  const result = ladderOf(explanation);
  const merging = result !== null && isMerging(result);
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      <span>
        block: what these words say alone · ring: the top phrase ·{" "}
        {merging ? "dash: joined here" : "tick: parted here"}
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
      <p>The ring marks the short phrase that speaks most for the class on its own.</p>
      <p>Play, or move the slider, to see the rows one by one.</p>
    </>
  );
}
