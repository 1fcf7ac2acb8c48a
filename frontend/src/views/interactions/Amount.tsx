/** A signed number in its colour, with its error, under a word or two on what it is. */

import { QUIET } from "../../colour";
import { Chip, type Numbers, SANS, textWidth } from "../../marks";

const FACE = { size: 13, weight: 600 };
const SMALL = { size: 10.5 };

export interface AmountProps {
  x: number;
  /** The middle of the number. */
  y: number;
  value: number;
  error: number | null;
  domain: number;
  numbers: Numbers;
}

export function amountWidth(numbers: Numbers, domain: number): number {
  return textWidth(numbers.signed(-domain), FACE) + 16;
}

export function Amount({ x, y, value, error, domain, numbers }: AmountProps) {
  const width = amountWidth(numbers, domain);
  return (
    <g>
      <Chip
        x={x}
        y={y - 12}
        width={width}
        height={24}
        text={numbers.signed(value)}
        value={value}
        domain={domain}
        face={FACE}
        radius={12}
      />
      {error !== null && (
        <text
          x={x + width + 5}
          y={y}
          dy="0.35em"
          className="quiet"
          fill={QUIET}
          fontSize={SMALL.size}
          fontFamily={SANS}
        >
          {numbers.error(error).trim()}
        </text>
      )}
    </g>
  );
}
