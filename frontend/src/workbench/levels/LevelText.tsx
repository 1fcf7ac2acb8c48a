import { type KeyboardEvent, memo, useRef, useState } from "react";
import type { Explanation } from "../../explanation";
import { type Numbers, textOf } from "../../marks";
import { overlaps, type Span, sameSpan } from "../../spans";
import { type Level, opens, type Part, spanOf } from "../../state/levels";
import { useSelection, useSelectionStore } from "../../state/selection";
import { shaded } from "./shades";

interface Props {
  levels: readonly Level[];
  explanation: Explanation;
  domain: number;
  numbers: Numbers;
  open: Span | null;
  onOpen(span: Span | null): void;
}

/** The whole text as it reads, every part in its colour; what is open comes apart in place. */
export function LevelText({ levels, explanation, domain, numbers, open, onOpen }: Props) {
  const { hovered, selected } = useSelection();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const shown = [...leaves(levels, 0)];
  const reachable = shown.some(({ start }) => start === current) ? current : (shown[0]?.start ?? null);

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const places = [...(box.current?.querySelectorAll<HTMLElement>(".part") ?? [])];
    const at = places.indexOf(event.target as HTMLElement);
    if (!step || at < 0) return;
    event.preventDefault();
    places[Math.max(0, Math.min(places.length - 1, at + step))]?.focus();
  };

  const piece = (part: Part, depth: number) => {
    const span = spanOf(part);
    const lit = overlaps(span, selected) ? "selected" : overlaps(span, hovered) ? "hovered" : undefined;
    return (
      <TextPart
        key={part.start}
        text={textOf(explanation, span)}
        number={part.value == null ? null : numbers.signed(part.value)}
        {...{ part, domain, lit, onOpen }}
        // While the next level is under way, its part stands open already.
        opening={depth === levels.length - 1 && sameSpan(span, open)}
        reachable={part.start === reachable}
        onReach={setCurrent}
      />
    );
  };
  const level = (depth: number): React.ReactNode =>
    levels[depth]?.parts.flatMap((part) => [
      levels[depth + 1] && sameSpan(spanOf(part), spanOf(levels[depth + 1] as Level)) ? (
        <span key={part.start} className="open-part" data-kind={part.kind}>
          {level(depth + 1)}
        </span>
      ) : (
        piece(part, depth)
      ),
      // Between parts as much room as between words.
      " ",
    ]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not flow like text
    <div
      className="level-text"
      ref={box}
      role="group"
      aria-label="The text, part by part"
      dir="auto"
      onKeyDown={move}
    >
      {level(0)}
    </div>
  );
}

/** The parts that are not open themselves, in reading order. */
function* leaves(levels: readonly Level[], depth: number): Generator<Part> {
  const below = levels[depth + 1];
  for (const part of levels[depth]?.parts ?? []) {
    if (below && sameSpan(spanOf(part), spanOf(below))) yield* leaves(levels, depth + 1);
    else yield part;
  }
}

interface PartProps {
  part: Part;
  text: string;
  number: string | null;
  domain: number;
  lit: "selected" | "hovered" | undefined;
  opening: boolean;
  reachable: boolean;
  onReach(start: number): void;
  onOpen(span: Span | null): void;
}

/** One part. Drawn again only when its own light changes: pointing must not redraw a whole text. */
const TextPart = memo(function TextPart(props: PartProps) {
  const { part, text, number, domain, lit, opening, reachable, onReach, onOpen } = props;
  const selection = useSelectionStore();
  const span = spanOf(part);
  const choose = () => {
    // It will not be there any more to say that the pointer has left it.
    selection.hover(null);
    if (opens(part)) onOpen(span);
    else selection.select(sameSpan(span, selection.now.selected) ? null : span);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button is a block, and a sentence goes on over the lines
    <span
      role="button"
      className="part"
      style={shaded(part.value, domain)}
      data-span={`${part.start}-${part.end}`}
      data-value={part.value ?? undefined}
      data-kind={part.kind}
      data-lit={lit}
      aria-busy={opening}
      aria-expanded={opens(part) ? opening : undefined}
      aria-label={`${text} (${part.kind}${number === null ? "" : `, ${number}`})`}
      title={number ?? undefined}
      tabIndex={reachable ? 0 : -1}
      onPointerEnter={() => selection.hover(span)}
      onPointerLeave={() => selection.hover(null)}
      onFocus={() => {
        onReach(part.start);
        selection.hover(span);
      }}
      onBlur={() => selection.hover(null)}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      }}
    >
      <bdi>{text}</bdi>
    </span>
  );
});
