import { useMemo } from "react";
import type { Explanation, SpanScore } from "../../explanation";
import { type Fact, type Numbers, numbersLike, Readout, textOf } from "../../marks";
import { type Selection, type Span, sameSpan, within, wordsOf } from "../../spans";
import { NINETY_FIVE, type WordScores } from "./result";

type Props = { explanation: Explanation; scores: WordScores; selection: Selection; numbers: Numbers };

export function TokensReadout({ explanation, scores, selection, numbers }: Props) {
  const span = selection.hovered ?? selection.selected;
  const facts = useMemo(
    () => (span === null ? [] : factsOf(explanation, scores, span, numbers)),
    [explanation, scores, span, numbers],
  );
  return (
    <Readout
      subject={span && textOf(explanation, span)}
      facts={facts}
      hint={
        scores.exact
          ? "Point at a word for its numbers; these are exact."
          : "Point at a word for its numbers and how sure they are."
      }
    />
  );
}

function factsOf(explanation: Explanation, scores: WordScores, span: Span, numbers: Numbers): Fact[] {
  const covered = ({ start, end }: SpanScore) => wordsOf(explanation, start, end);
  const words = scores.words.filter((word) => within(covered(word), span));
  const phrase = scores.phrases.find((each) => sameSpan(span, covered(each)));
  const facts: Fact[] = phrase ? [{ name: "as a whole", value: numbers.signed(phrase.score) }] : [];
  const [only] = words;
  if (words.length !== 1 || only === undefined) {
    const sum = words.reduce((total, { score }) => total + score, 0);
    return [
      ...facts,
      { name: `its ${words.length} ${explanation.player_kind} together`, value: numbers.signed(sum) },
    ];
  }
  const { score, error } = only;
  facts.push({ name: "value", value: numbers.signed(score) });
  if (error === null) return facts;
  const reach = NINETY_FIVE * error;
  // A narrow range must not look like none.
  const finer = numbersLike([10 ** -numbers.decimals]);
  return [
    ...facts,
    { name: "95 %", value: `${finer.signed(score - reach)} to ${finer.signed(score + reach)}` },
    { name: "standard error", value: finer.error(error).replace(" ± ", "") },
  ];
}
