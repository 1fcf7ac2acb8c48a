import { useMemo } from "react";
import type { Explanation } from "../../explanation";
import { type Fact, type Numbers, numbersLike, Readout, textOf, within } from "../../marks";
import { type Selection, type Span, sameSpan } from "../view";
import { errorOf, NINETY_FIVE, type WordScores } from "./result";

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
  const players = explanation.players.flatMap((player, index) =>
    within([player.start, player.end], span) ? [index] : [],
  );
  const phrase = scores.phrases?.find(({ start, end }) =>
    sameSpan(span, [explanation.players[start]?.start ?? -1, explanation.players[end - 1]?.end ?? -1]),
  );
  const facts: Fact[] = phrase ? [{ name: "as a whole", value: numbers.signed(phrase.relevance) }] : [];
  const [only] = players;
  if (players.length !== 1 || only === undefined) {
    const sum = players.reduce((total, player) => total + (scores.values[player] ?? 0), 0);
    return [
      ...facts,
      { name: `its ${players.length} ${explanation.player_kind} together`, value: numbers.signed(sum) },
    ];
  }
  const value = scores.values[only] ?? 0;
  facts.push({ name: "value", value: numbers.signed(value) });
  const error = errorOf(scores, only);
  if (error === null) return facts;
  const reach = NINETY_FIVE * error;
  // A narrow range must not look like none.
  const finer = numbersLike([10 ** -numbers.decimals]);
  return [
    ...facts,
    { name: "95 %", value: `${finer.signed(value - reach)} to ${finer.signed(value + reach)}` },
    { name: "standard error", value: finer.error(error).replace(" ± ", "") },
  ];
}
