/** Phrase against phrase: keep the words that are selected, select others, and ask what the two do to each other. */

import { Button } from "../../controls/Button";
import { quoted } from "../../marks";
import { overlaps, type Span } from "../../spans";

export interface PhrasesProps {
  /** Whether the graph that is shown has two phrases in it. */
  asked: boolean;
  kept: Span | null;
  selected: Span | null;
  textOf(span: Span): string;
  onKeep(span: Span | null): void;
  onAsk(groups: readonly [Span, Span] | null): void;
}

export function Phrases({ asked, kept, selected, textOf, onKeep, onAsk }: PhrasesProps) {
  const name = (span: Span) => quoted(textOf(span));
  if (kept) {
    const ready = selected !== null && !overlaps(selected, kept);
    return (
      <>
        <span>
          {ready ? "" : `${name(kept)} is kept: now select another phrase, here or in any picture.`}
        </span>
        {ready && (
          <Button onClick={() => onAsk([kept, selected])}>
            Ask {name(kept)} against {name(selected)}
          </Button>
        )}
        <Button onClick={() => onKeep(null)}>Never mind</Button>
      </>
    );
  }
  return (
    <>
      {asked && <Button onClick={() => onAsk(null)}>Back to single words</Button>}
      <Button
        disabled={selected === null}
        title={
          selected
            ? "Keeps the selected words as one phrase and compares them with another"
            : "Select a phrase first: click a word, then Shift+click another"
        }
        onClick={() => onKeep(selected)}
      >
        {selected ? `${name(selected)} against…` : "Phrase against phrase"}
      </Button>
    </>
  );
}
