import { memo } from "react";
import type { Explanation } from "../../explanation";
import { type Numbers, textOf } from "../../marks";
import { overlaps, type Span, sameSpan, spanKey } from "../../spans";
import { type Level, opens, type Part, spanOf } from "../../state/levels";
import { useSelection } from "../../state/selection";
import { shaded } from "./shades";

interface Props {
  levels: readonly Level[];
  explanation: Explanation;
  domain: number;
  numbers: Numbers;
  open: Span | null;
  /** The part that the Tab key leads to. */
  reachable: Part | undefined;
}

/** The whole text as it reads, every part in its colour; what is open comes apart in place. */
export function LevelText({ levels, explanation, domain, numbers, open, reachable }: Props) {
  const { hovered, selected } = useSelection();
  const piece = (part: Part, depth: number) => {
    const span = spanOf(part);
    const lit = overlaps(span, selected) ? "selected" : overlaps(span, hovered) ? "hovered" : undefined;
    return (
      <TextPart
        key={part.start}
        text={textOf(explanation, span)}
        number={part.value == null ? null : numbers.signed(part.value)}
        {...{ part, domain, lit }}
        // While the next level is under way, its part stands open already.
        opening={depth === levels.length - 1 && sameSpan(span, open)}
        reachable={part === reachable}
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
    <div className="level-text" role="group" aria-label="The text, part by part" dir="auto">
      {level(0)}
    </div>
  );
}

/** The parts that are not open themselves, in reading order. */
export function* leaves(levels: readonly Level[], depth = 0): Generator<Part> {
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
}

/** One part. Drawn again only when its own light changes: pointing must not redraw a whole text. */
const TextPart = memo(function TextPart(props: PartProps) {
  const { part, text, number, domain, lit, opening, reachable } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button is a block, and a sentence goes on over the lines
    <span
      role="button"
      className="part"
      style={shaded(part.value, domain)}
      data-span={spanKey(spanOf(part))}
      data-value={part.value ?? undefined}
      data-kind={part.kind}
      data-lit={lit}
      aria-busy={opening}
      aria-expanded={opens(part) ? opening : undefined}
      aria-label={`${text} (${part.kind}${number === null ? "" : `, ${number}`})`}
      title={number ?? undefined}
      tabIndex={reachable ? 0 : -1}
    >
      <bdi>{text}</bdi>
    </span>
  );
});
