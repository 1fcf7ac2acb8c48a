import { memo, type ReactNode } from "react";
import { filled } from "../colour";
import { numbersLike } from "./numbers";

const STEPS = 21;
const WIDTH = 126;
const HEIGHT = 9;

const Ramp = memo(function Ramp() {
  const step = WIDTH / STEPS;
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
      <title>Colour scale</title>
      {Array.from({ length: STEPS }, (_, index) => {
        const value = (2 * index) / (STEPS - 1) - 1;
        // Half a pixel more hides the seams between the steps.
        return <rect key={value} x={index * step} width={step + 0.5} height={HEIGHT} {...filled(value, 1)} />;
      })}
    </svg>
  );
});

type Props = { target: string; domain: number; children?: ReactNode };

/** The colour scale with its ends in numbers and words; `children` name what else is drawn. */
export function ScaleLegend({ target, domain, children }: Props) {
  const numbers = numbersLike([domain]);
  return (
    <div className="scale-legend">
      <span className="ramp">
        <span>away from {target}</span>
        <span>
          {numbers.signed(-domain)}
          <Ramp />
          {numbers.signed(domain)}
        </span>
        <span>towards {target}</span>
      </span>
      {children}
    </div>
  );
}
