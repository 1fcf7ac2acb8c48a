/** How far two explanations agree about which words matter: Kendall's tau of their word scores. */
import type { Explanation } from "../../explanation";
import { wordsOf } from "../../spans";

/**
 * Tau-b: pairs in the same order less pairs in the other one, over all pairs that are not tied. 1 is the same ranking,
 * -1 the opposite one; nothing where one side ranks nothing.
 */
export function kendall(one: readonly number[], other: readonly number[]): number | null {
  let [together, first, second] = [0, 0, 0];
  for (let i = 0; i < one.length; i++)
    for (let j = 0; j < i; j++) {
      const a = Math.sign((one[i] ?? 0) - (one[j] ?? 0));
      const b = Math.sign((other[i] ?? 0) - (other[j] ?? 0));
      together += a * b;
      first += a * a;
      second += b * b;
    }
  return first > 0 && second > 0 ? together / Math.sqrt(first * second) : null;
}

/** Of the words that both explanations score. */
export function agreement(one: Explanation, other: Explanation): number | null {
  const scores = wordScores(other);
  const common = [...wordScores(one)].filter(([place]) => scores.has(place));
  return kendall(
    common.map(([, score]) => score),
    common.map(([place]) => scores.get(place) ?? 0),
  );
}

function wordScores(explanation: Explanation): Map<string, number> {
  return new Map(
    explanation.reading.spans
      .filter(({ level }) => level === 0)
      .map(({ start, end, score }) => [wordsOf(explanation, start, end).join("-"), score]),
  );
}
