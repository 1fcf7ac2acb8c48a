import { memo } from "react";
import { filled, inked } from "../../colour";
import type { Explanation } from "../../explanation";
import { exactly } from "../../marks";
import { spanKey, wordsOf } from "../../spans";
import { TEXT, TEXT_BLOCK, TEXT_LINE, type TokensLayout } from "./layout";
import type { WordScores } from "./result";

type Props = { explanation: Explanation; scores: WordScores; layout: TokensLayout; domain: number };

/** The text itself, every word on the colour of its value. The bars say the same to those who listen. */
export const HeatText = memo(function HeatText({ explanation, scores, layout, domain }: Props) {
  const values = explanation.players.map(() => 0);
  for (const { start, end, score } of scores.words) values.fill(score, start, end);
  return (
    <g aria-hidden="true" fontFamily={TEXT.family} fontSize={TEXT.size}>
      {layout.text.slots.map((slot, player) => {
        const value = values[player] ?? 0;
        const span = spanKey(wordsOf(explanation, player, player + 1));
        return (
          <g
            key={`${slot.line} ${slot.left}`}
            className="chip token-heat"
            data-span={span}
            data-value={exactly(value)}
          >
            <rect
              x={round(slot.left)}
              y={slot.line * TEXT_LINE}
              width={round(slot.right - slot.left)}
              height={TEXT_BLOCK}
              rx={3}
              {...filled(value, domain)}
            />
            <text
              x={round((slot.left + slot.right) / 2)}
              y={slot.line * TEXT_LINE + TEXT_BLOCK / 2}
              dy="0.34em"
              textAnchor="middle"
              {...inked(value, domain)}
            >
              {slot.text}
            </text>
          </g>
        );
      })}
    </g>
  );
});

const round = (length: number): number => Math.round(length * 10) / 10;
