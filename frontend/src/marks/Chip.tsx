import { memo } from "react";
import { filled, inked } from "../colour";
import type { Face } from "./measure";

export type ChipProps = {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  /** What the colour stands for, in the domain's measure. */
  value: number;
  domain: number;
  face: Face;
  radius?: number;
};

/** A text in the middle of a coloured block. */
export const Chip = memo(function Chip({
  x,
  y,
  width,
  height,
  text,
  value,
  domain,
  face,
  radius = 5,
}: ChipProps) {
  return (
    <g className="chip">
      <rect x={x} y={y} width={width} height={height} rx={radius} {...filled(value, domain)} />
      <text
        x={x + width / 2}
        y={y + height / 2}
        dy="0.35em"
        textAnchor="middle"
        fontSize={face.size}
        fontWeight={face.weight}
        fontFamily={face.family}
        {...inked(value, domain)}
      >
        {/* The space is not seen, but keeps the text apart from the next for those who are read to. */}
        {`${text} `}
      </text>
    </g>
  );
});
