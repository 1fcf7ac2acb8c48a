import type { Explanation } from "../../explanation";
import { targetClass } from "../../explanation";
import { ScaleLegend } from "../../marks";
import { errorOf, scoresOf } from "./result";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  const scores = scoresOf(explanation);
  const sampled = scores !== null && errorOf(scores, 0) !== null;
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      {sampled && <span>whisker: 95 % of repeated runs would end here</span>}
      {scores?.r2 !== undefined && (
        <span>the linear fit explains {(100 * scores.r2).toFixed(0)} % of its samples</span>
      )}
    </ScaleLegend>
  );
}

export function HowToRead() {
  return (
    <>
      <p>Each bar is one word. Purple and + moves the model towards the class, orange and − away from it.</p>
      <p>
        Where the numbers add up, the bars lead step by step from what the model says with no words at all to
        what it says of the whole text: each bar begins where the one before ended.
      </p>
      <p>A whisker shows how sure a number is. Where it is wider than its bar, even the direction is open.</p>
      <p>The text above has the same colours, in reading order.</p>
      <p>
        One number for each word cannot show what words do together: the tree, the ladder and the graph do.
      </p>
    </>
  );
}
