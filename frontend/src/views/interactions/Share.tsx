/** How much a level explains: its held-out R² as a bar, what the level before explained in it, and the error's whisker. */

import { FAINT, INK, QUIET, TRACK } from "../../colour";
import { NINETY_FIVE, type Numbers, SANS } from "../../marks";
import { round } from "./BeamRow";

export interface ShareProps {
  x: number;
  y: number;
  width: number;
  value: number;
  before: number;
  error: number;
  numbers: Numbers;
}

export function Share({ x, y, width, value, before, error, numbers }: ShareProps) {
  const at = (share: number) => round(x + width * Math.max(0, Math.min(1, share)));
  const [low, high] = [at(value - NINETY_FIVE * error), at(value + NINETY_FIVE * error)];
  return (
    <g className="share">
      <text x={x} y={y + 11} fontSize={13} fontFamily={SANS} className="ink" fill={INK}>
        <tspan fontWeight={600}>{numbers.plain(value)}</tspan>
        <tspan className="quiet" fill={QUIET} fontSize={10.5}>
          {numbers.error(error)}
        </tspan>
      </text>
      <rect className="share-track" x={x} y={y + 18} width={width} height={9} rx={4.5} fill={TRACK} />
      <rect className="share-now" x={x} y={y + 18} width={at(value) - x} height={9} rx={4.5} fill="#4a4657" />
      {before > 0 && before < value && (
        <rect
          className="share-before"
          x={x}
          y={y + 18}
          width={at(before) - x}
          height={9}
          rx={4.5}
          fill={FAINT}
        />
      )}
      {error > 0 && (
        <path
          className="quiet-line"
          stroke={QUIET}
          strokeWidth={1.2}
          fill="none"
          d={`M${low} ${y + 31}H${high}m0 -2v4M${low} ${y + 29}v4`}
        />
      )}
    </g>
  );
}
