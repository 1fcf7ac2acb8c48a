import { Fragment, useState } from "react";
import { Button } from "../../controls/Button";
import { dataAt, numbersLike, quoted, textOf, useMarks } from "../../marks";
import { type Span, sameSpan, spanKey } from "../../spans";
import type { JobState } from "../../state/job";
import { above, type Level, opens, type Part, partAround, placeOf, spanOf } from "../../state/levels";
import { useSelectionStore } from "../../state/selection";
import { LevelText, leaves } from "./LevelText";
import type { Levels } from "./useLevels";
import "./levels.css";

interface Props {
  found: Levels | null;
  state: JobState | null;
  open: Span | null;
  target: string;
  onOpen(span: Span | null): void;
}

/** A long text as the way through it: where one is, the text with its parts in colour, what is open in place. */
export function LevelsCard({ found, state, open, target, onOpen }: Props) {
  if (!found)
    return state?.problem ? null : (
      <p className="hint" role="status">
        Reading the text sentence by sentence…
      </p>
    );
  return <OpenLevels {...{ found, open, target, onOpen }} />;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function OpenLevels({ found, open, target, onOpen }: Omit<Props, "state"> & { found: Levels }) {
  const { levels, explanation, domain } = found;
  const selection = useSelectionStore();
  const [current, setCurrent] = useState<number | null>(null);
  const numbers = numbersLike(levels.flatMap(({ parts }) => parts.map(({ value }) => value ?? 0)));
  const last = levels.at(-1);
  const shown = [...leaves(levels)];
  const { picture, hands } = useMarks<Part, HTMLDivElement>({
    at: (place) => shown.find((part) => spanKey(spanOf(part)) === dataAt(place, "span")) ?? null,
    point: (part) => selection.hover(part && spanOf(part)),
    choose: (part) => {
      const span = spanOf(part);
      // It will not be there any more to say that the pointer has left it.
      selection.hover(null);
      if (opens(part)) onOpen(span);
      else selection.select(sameSpan(span, selection.now.selected) ? null : span);
    },
    enter: (part) => part && setCurrent(part.start),
    key: (part, { key }) => {
      if (key === "Escape" && open) onOpen(above(levels, open));
      const step = STEPS[key];
      if (!step || !part) return false;
      const next = shown[shown.indexOf(part) + step] ?? part;
      return `[data-span="${spanKey(spanOf(next))}"]`;
    },
  });
  return (
    <div className="levels" aria-busy={found.stale} ref={picture} {...hands}>
      <nav className="crumbs" aria-label="What is open">
        {levels.map((level, depth) => (
          <Fragment key={`${level.start}-${level.end}`}>
            {depth > 0 && <span aria-hidden="true">›</span>}
            {level === last ? (
              <strong aria-current="location">{crumb(found, level, depth)}</strong>
            ) : (
              <Button kind="link" onClick={() => onOpen(depth === 0 ? null : spanOf(level))}>
                {crumb(found, level, depth)}
              </Button>
            )}
            {level.value !== null && level.value !== undefined && (
              <span className="crumb-value">{numbers.signed(level.value)}</span>
            )}
          </Fragment>
        ))}
      </nav>
      <LevelText
        {...{ levels, explanation, domain, numbers, open }}
        reachable={shown.find(({ start }) => start === current) ?? shown[0]}
      />
      <p className="hint">
        {depthHint(last)} Colours and numbers are how far each part moves the model towards{" "}
        <strong>{target}</strong>; the parts of what is open add up to what it has.
      </p>
    </div>
  );
}

function crumb({ levels, explanation }: Levels, level: Level, depth: number): string {
  if (depth === 0) return "Whole text";
  const parent = levels[depth - 1];
  const part = partAround(parent, spanOf(level));
  const place = parent && part ? placeOf(parent, part) : level.kind;
  return place === "phrase" ? quoted(textOf(explanation, spanOf(level))) : capital(place);
}

function depthHint(level: Level | undefined): string {
  const kinds = new Set(level?.parts.map(({ kind }) => kind));
  if (kinds.has("passage")) return "Click a sentence, or a passage of several, to open it.";
  if (kinds.has("sentence")) return "Click a sentence to open its phrases.";
  if (kinds.has("phrase")) return "Click a phrase to open its words; Escape closes.";
  return "These are the words; Escape closes.";
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
