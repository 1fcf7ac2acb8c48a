import type { Explanation } from "../../explanation";
import { targetClass } from "../../explanation";
import { ScaleLegend } from "../../marks";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      <span>pill: what the phrase adds to its words · block: a word and its value</span>
    </ScaleLegend>
  );
}

export function HowToRead() {
  return (
    <>
      <p>
        The words stand at the bottom in reading order. Above them hang the phrases a parser found, the whole
        sentence on top.
      </p>
      <p>
        Each word has a value: its own share in the answer. If words simply added up, every phrase would be
        worth the sum of its words.
      </p>
      <p>
        The number on a phrase says how far it is from that sum. Purple and + speak for the class, orange and
        − against it, and a pale pill near zero means that nothing happens beyond the words.
      </p>
      <p>
        Look for dark pills: there the model reads the words together. Over “not good”, one says that “not”
        turned “good” around.
      </p>
      <p>Fold a phrase to see less; the numbers at the left fold everything up to that height.</p>
    </>
  );
}
