import { ACCENT, INK } from "../colour";
import { type Span, sameSpan, within } from "../spans";

export type Lit = "hovered" | "selected" | "inside";

/** How a mark over these words is lit: itself pointed at or chosen, or only its words part of what is. */
export function litBy(span: Span, hovered: Span | null, selected: Span | null): Lit | null {
  if (sameSpan(span, selected)) return "selected";
  if (sameSpan(span, hovered)) return "hovered";
  const inside = (outer: Span | null) => outer !== null && within(span, outer);
  return inside(hovered) || inside(selected) ? "inside" : null;
}

type Box = { x: number; y: number; width: number; height: number };

/** A ring around a mark, drawn on top of the picture so that the picture itself need not change. */
export function Ring({
  box,
  lit,
  radius = 6,
  gap = 2,
}: {
  box: Box;
  lit: Lit;
  radius?: number;
  gap?: number;
}) {
  return (
    <rect
      className="ring"
      data-lit={lit}
      x={box.x - gap}
      y={box.y - gap}
      width={box.width + 2 * gap}
      height={box.height + 2 * gap}
      rx={radius + gap / 2}
      fill="none"
      stroke={lit === "selected" ? ACCENT : INK}
      strokeWidth={1.6}
    />
  );
}
