import { Button } from "../../controls/Button";
import type { Explanation } from "../../explanation";
import { quoted, textOf } from "../../marks";
import { type Span, sameSpan } from "../../spans";
import { opens, spanOf } from "../../state/levels";
import { useSelection } from "../../state/selection";

/** Under every picture of a level: opens the part that is chosen in it. */
export function OpenPart({ explanation, onOpen }: { explanation: Explanation; onOpen(span: Span): void }) {
  const { selected } = useSelection();
  const part = explanation.levels?.at(-1)?.parts.find((each) => sameSpan(spanOf(each), selected));
  if (!part || !opens(part)) return null;
  return (
    <p className="open-chosen">
      <Button onClick={() => onOpen(spanOf(part))}>Open {quoted(textOf(explanation, spanOf(part)))}</Button>
    </p>
  );
}
