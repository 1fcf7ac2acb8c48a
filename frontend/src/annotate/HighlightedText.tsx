import type { ReactNode } from "react";
import type { Highlight, Word } from "./task";

type Props = {
  text: string;
  words: Word[];
  highlights: Highlight[];
  /** The weight that gets the full colour; shared by A and B, so that the two can be compared. */
  largest: number;
};

/** Weights below this share of the largest stay plain: a tint that nobody can see only makes the text restless. */
const FAINTEST = 0.04;

/** The text with its highlighted words and phrases: purple speaks for the prediction, orange against it. */
export function HighlightedText({ text, words, highlights, largest }: Props) {
  const pieces: ReactNode[] = [];
  let written = 0;
  for (const { start, end, weight } of [...highlights].sort((a, b) => a.start - b.start)) {
    const from = words[start]?.start ?? written;
    const to = words[end - 1]?.end ?? from;
    const strength = Math.min(1, Math.abs(weight) / largest);
    if (strength < FAINTEST || from < written) continue;
    pieces.push(text.slice(written, from));
    pieces.push(
      <mark
        key={start}
        className={weight > 0 ? "speaks-for" : "speaks-against"}
        style={{ "--strength": `${Math.round(15 + 85 * strength)}%` } as React.CSSProperties}
        data-span={`${start}-${end}`}
        data-value={weight}
      >
        <span className="sign">{weight > 0 ? "+" : "−"}</span>
        {text.slice(from, to)}
      </mark>,
    );
    written = to;
  }
  pieces.push(text.slice(written));
  return <span className="highlighted">{pieces}</span>;
}
