import type { ReactNode } from "react";
import { filled } from "../colour";
import { numbersLike } from "./numbers";

const STEPS = 21;
const WIDTH = 126;
const HEIGHT = 9;

/** The colour scale with its ends in numbers and words; `children` name what else is drawn. */
export function ScaleLegend({
  target,
  domain,
  children,
}: {
  target: string;
  domain: number;
  children?: ReactNode;
}) {
  const numbers = numbersLike([domain]);
  const step = WIDTH / STEPS;
  return (
    <div className="scale-legend">
      <span className="ramp">
        <span>away from {target}</span>
        <span>
          {numbers.signed(-domain)}
          <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
            <title>Colour scale</title>
            {Array.from({ length: STEPS }, (_, index) => {
              const value = (2 * index) / (STEPS - 1) - 1;
              // Half a pixel more hides the seams between the steps.
              return (
                <rect key={value} x={index * step} width={step + 0.5} height={HEIGHT} {...filled(value, 1)} />
              );
            })}
          </svg>
          {numbers.signed(domain)}
        </span>
        <span>towards {target}</span>
      </span>
      {children}
    </div>
  );
}
