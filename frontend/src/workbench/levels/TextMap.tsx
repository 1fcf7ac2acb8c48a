import { useState } from "react";
import { Button } from "../../controls/Button";
import { dataAt, numbersLike, textOf, useMarks } from "../../marks";
import { overlaps, type Span, within } from "../../spans";
import { opens, type Part, placeOf, spanOf } from "../../state/levels";
import { useSelection, useSelectionStore } from "../../state/selection";
import { shaded } from "./shades";
import type { Levels } from "./useLevels";

interface Props {
  found: Levels;
  open: Span | null;
  onOpen(span: Span | null): void;
}

/**
 * The whole text as a thin column: a stripe for each of its parts, as long as the part and in its colour. It stays
 * beside the pictures, marks what is open and opens something else.
 */
export function TextMap({ found, open, onOpen }: Props) {
  const { hovered } = useSelection();
  const { hover } = useSelectionStore();
  const [current, setCurrent] = useState(0);
  const text = found.levels[0];
  const parts = text?.parts ?? [];
  // A part that does not open cannot have the focus: the keys go past it.
  const places = parts.flatMap((part, place) => (opens(part) ? [place] : []));
  const stop = places.includes(current) ? current : (places[0] ?? 0);
  const isOpen = (span: Span) => open !== null && within(open, span);
  const { picture, hands } = useMarks<Part, HTMLElement>({
    at: (stripe) => parts[Number(dataAt(stripe, "place") ?? -1)] ?? null,
    // Not by the focus: it stays on what it opened, and all of that would be lit.
    point: (part, by) => by === "pointer" && hover(part && spanOf(part)),
    choose: (part) => onOpen(isOpen(spanOf(part)) ? null : spanOf(part)),
    enter: (part) => part && setCurrent(parts.indexOf(part)),
    key: (_, { key }) => {
      const at = places.indexOf(stop);
      const to = {
        ArrowDown: at + 1,
        ArrowRight: at + 1,
        ArrowUp: at - 1,
        ArrowLeft: at - 1,
        Home: 0,
        End: places.length - 1,
      }[key];
      if (to === undefined) return false;
      const next = places[Math.max(0, Math.min(places.length - 1, to))] ?? stop;
      setCurrent(next);
      return `[data-place="${next}"]`;
    },
  });
  if (!text) return null;
  const numbers = numbersLike(text.parts.map(({ value }) => value ?? 0));
  const domain = Math.max(0, ...text.parts.map(({ value }) => Math.abs(value ?? 0)));
  return (
    <nav className="text-map" aria-label="Map of the text" ref={picture} {...hands}>
      {text.parts.map((part, place) => {
        const span = spanOf(part);
        const here = isOpen(span);
        const number = part.value == null ? "" : `, ${numbers.signed(part.value)}`;
        return (
          <Button
            kind="bare"
            key={part.start}
            className="stripe"
            style={{ ...shaded(part.value, domain), flexGrow: part.end - part.start }}
            data-place={place}
            data-value={part.value ?? undefined}
            data-lit={overlaps(span, hovered) || undefined}
            aria-current={here ? "location" : undefined}
            aria-label={`${placeOf(text, part)}${number}`}
            title={`${textOf(found.explanation, span).slice(0, 80)}${number}`}
            disabled={!opens(part)}
            tabIndex={place === stop ? 0 : -1}
          />
        );
      })}
    </nav>
  );
}
