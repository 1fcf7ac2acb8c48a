import { useMemo } from "react";
import type { Explanation, SpanScore } from "../../explanation";
import { type Fact, NINETY_FIVE, type Numbers, numbersLike, Readout, textOf } from "../../marks";
import { type Selection, type Span, sameSpan, within, wordsOf } from "../../spans";
import { pairName, type WordScores } from "./result";
import type { BarRow } from "./rows";

type Props = {
  explanation: Explanation;
  scores: WordScores;
  selection: Selection;
  numbers: Numbers;
  /** The bar of two that is pointed at. */
  pair: BarRow | null;
};

export function TokensReadout({ explanation, scores, selection, numbers, pair }: Props) {
  const span = selection.hovered ?? selection.selected;
  const facts = useMemo(() => {
    if (pair !== null) return valued("together", pair.value, pair.error, numbersLike([pair.value]));
    return span === null ? [] : factsOf(explanation, scores, span, numbers);
  }, [explanation, scores, span, numbers, pair]);
  const sure = [...scores.words, ...scores.phrases, ...scores.pairs].every(({ error }) => error === null);
  return (
    <Readout
      subject={pair?.name ?? (span && textOf(explanation, span))}
      facts={facts}
      hint={
        scores.exact && sure
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
  if (scores.words.length === 0) {
    const strongest = scores.pairs.find(({ first, second }) =>
      [first, second].some((player) => within(wordsOf(explanation, player, player + 1), span)),
    );
    if (strongest === undefined) return facts;
    const number = numbers.signed(strongest.score);
    return [...facts, { name: "strongest pair", value: `${pairName(explanation, strongest)} ${number}` }];
  }
  if (words.length !== 1 || only === undefined) {
    const sum = words.reduce((total, { score }) => total + score, 0);
    return [
      ...facts,
      { name: `its ${words.length} ${explanation.player_kind} together`, value: numbers.signed(sum) },
    ];
  }
  return [...facts, ...valued("value", only.score, only.error, numbers)];
}

function valued(name: string, score: number, error: number | null, numbers: Numbers): Fact[] {
  const value: Fact = { name, value: numbers.signed(score) };
  if (error === null) return [value];
  const reach = NINETY_FIVE * error;
  // A narrow range must not look like none.
  const finer = numbersLike([10 ** -numbers.decimals]);
  return [
    value,
    { name: "95 %", value: `${finer.signed(score - reach)} to ${finer.signed(score + reach)}` },
    { name: "standard error", value: finer.error(error).replace(" ± ", "") },
  ];
}
