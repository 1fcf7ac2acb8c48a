import { Button } from "../controls/Button";
import type { Explanation } from "../explanation";
import { dataAt, numbersLike, textOf, useMarks } from "../marks";
import { type Span, sameSpan, spanKey } from "../spans";
import { useSelection, useSelectionStore } from "../state/selection";
import { differences, howFarSeen, type Pair, unusedSide } from "./differences";

interface Props {
  first: Explanation;
  second: Explanation;
  names: readonly [string, string];
}

const MOST = 24;

/** What differs between the two sides, phrase by phrase, the largest difference first. */
export function Difference({ first, second, names }: Props) {
  const { hovered, selected } = useSelection();
  const { hover, select } = useSelectionStore();
  const rows = differences(first, second);
  const { picture, hands } = useMarks<Span, HTMLOListElement>({
    at: (part) => rows.find(({ span }) => spanKey(span) === dataAt(part, "span"))?.span ?? null,
    point: (span, by) => by === "pointer" && hover(span),
    choose: (span, _, part) => part.closest(".phrase") && select(toggled(span, selected)),
  });
  if (rows.length === 0)
    return (
      <p className="hint">These two have no phrase or pair in common, so there is nothing to subtract.</p>
    );
  const largest = Math.max(1e-9, ...rows.flatMap(({ one, other }) => [Math.abs(one), Math.abs(other)]));
  const { signed } = numbersLike(rows.flatMap(({ one, other }) => [one, other]));
  const at = (value: number) => `${50 + (50 * value) / largest}%`;
  const unused = (row: Pair) =>
    first.reference !== second.reference && first.method === second.method
      ? unusedSide(row, [first, second], largest)
      : null;
  const credited = rows.filter((row) => unused(row) !== null);
  return (
    <figure className="difference">
      <figcaption className="hint">
        <span className="dot first" /> {names[0]} <span className="dot second" /> {names[1]} · the line
        between is the difference
        {first.scale !== second.scale && " (note: the two are measured on different scales)"}
      </figcaption>
      <ol ref={picture} {...hands}>
        {rows.slice(0, MOST).map(({ span, beside, one, other }) => (
          <li
            key={[span, beside].join(" ")}
            data-span={spanKey(span)}
            data-other={beside && spanKey(beside)}
            data-value={other - one}
            data-lit={lightOf([span, beside], selected, hovered)}
          >
            <Button kind="bare" className="phrase">
              <bdi>{[span, beside].flatMap((part) => (part ? textOf(first, part) : [])).join(" × ")}</bdi>
              {unused({ span, beside, one, other }) !== null && <span className="unused-mark">unused</span>}
            </Button>
            <span className="axis" aria-hidden="true">
              <span
                className="line"
                data-sign={Math.sign(other - one)}
                style={{
                  insetInlineStart: at(Math.min(one, other)),
                  inlineSize: `${(50 * Math.abs(other - one)) / largest}%`,
                }}
              />
              <span className="dot first" style={{ insetInlineStart: at(one) }} />
              <span className="dot second" style={{ insetInlineStart: at(other) }} />
            </span>
            <span className="amount">
              <span className="unseen">
                {signed(one)} and {signed(other)}, difference{" "}
              </span>
              {signed(other - one)}
            </span>
          </li>
        ))}
      </ol>
      {credited.length > 0 && (
        <p className="hint">
          <strong>unused</strong>: the word made no difference at all under{" "}
          {names[unused(credited[0] as Pair) ?? 0]},{" "}
          {howFarSeen([first, second][unused(credited[0] as Pair) ?? 0] as Explanation)}; under the other
          reference it is credited with what the words around it say.
        </p>
      )}
      {rows.length > MOST && <p className="hint">and {rows.length - MOST} smaller ones, in the tables</p>}
    </figure>
  );
}

function lightOf(
  parts: readonly (Span | undefined)[],
  selected: Span | null,
  hovered: Span | null,
): "selected" | "hovered" | undefined {
  const lit = (by: Span | null) => parts.some((part) => part !== undefined && sameSpan(part, by));
  return lit(selected) ? "selected" : lit(hovered) ? "hovered" : undefined;
}

function toggled(span: Span, selected: Span | null): Span | null {
  return sameSpan(span, selected) ? null : span;
}
