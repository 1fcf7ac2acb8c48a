import type { Explanation } from "../../explanation";
import { targetClass } from "../../explanation";
import { percent, ScaleLegend, WHISKER } from "../../marks";
import { scoresOf } from "./result";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  const scores = scoresOf(explanation);
  const bars = [...scores.words, ...scores.phrases, ...scores.pairs];
  const sampled = bars.some(({ error }) => error !== null);
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      {sampled && <span>{WHISKER}</span>}
      {scores.fit !== null && (
        <span>the linear fit explains {percent(Math.max(0, scores.fit))} of its samples</span>
      )}
    </ScaleLegend>
  );
}

export function HowToRead() {
  return (
    <>
      <p>Each bar is one word. Purple and + moves the model towards the class, orange and − away from it.</p>
      <p>A bar named with × is a pair: what two words do together beyond what each does without the other.</p>
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
