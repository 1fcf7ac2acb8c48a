/** How much a level explains: its held-out R² as a bar, what the level before explained in it, and the error's whisker. */

import { type Numbers, SANS } from "../../marks";
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

export const SHARE_HEIGHT = 30;

export function Share({ x, y, width, value, before, error, numbers }: ShareProps) {
  const at = (share: number) => round(x + width * Math.max(0, Math.min(1, share)));
  return (
    <g className="share">
      <text x={x} y={y + 11} fontSize={13} fontFamily={SANS} className="ink" fill="#1d1b22">
        <tspan fontWeight={600}>{numbers.plain(value)}</tspan>
        <tspan className="quiet" fill="#625e6b" fontSize={10.5}>
          {numbers.error(error)}
        </tspan>
      </text>
      <rect className="share-track" x={x} y={y + 18} width={width} height={9} rx={4.5} fill="#efedf3" />
      <rect className="share-now" x={x} y={y + 18} width={at(value) - x} height={9} rx={4.5} fill="#4a4657" />
      {before > 0 && before < value && (
        <rect
          className="share-before"
          x={x}
          y={y + 18}
          width={at(before) - x}
          height={9}
          rx={4.5}
          fill="#a8a3b3"
        />
      )}
      {error > 0 && (
        <path
          className="quiet-line"
          stroke="#625e6b"
          strokeWidth={1.2}
          fill="none"
          d={`M${at(value - error)} ${y + 31}H${at(value + error)}m0 -2v4M${at(value - error)} ${y + 29}v4`}
        />
      )}
    </g>
  );
}
