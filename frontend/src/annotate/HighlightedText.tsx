import type { CSSProperties } from "react";
import { tint } from "../colour";
import type { Group, WordShown } from "./documents";
import { runs } from "./runs";

/** The full colours are kept for the ends of a scale; a whole page of them would shout. */
const CALM = 1.4;

/** Fill and ink of a weight between -1 and 1, for both themes. */
export function tinted(weight: number): CSSProperties {
  const light = tint(weight, CALM, "light");
  const dark = tint(weight, CALM, "dark");
  return {
    "--light-fill": light.fill,
    "--light-ink": light.ink,
    "--dark-fill": dark.fill,
    "--dark-ink": dark.ink,
  } as CSSProperties;
}

/** The text with its highlighted words and phrases, signed as well as coloured. */
export function HighlightedText({
  text,
  words,
  groups,
}: {
  text: string;
  words: WordShown[];
  groups: Group[];
}) {
  return (
    <span className="highlighted">
      {runs(text, words, groups).map((piece) =>
        typeof piece === "string" ? (
          piece
        ) : (
          <mark
            key={piece.first}
            className={piece.joined ? "tint joined" : "tint"}
            style={tinted(piece.weight)}
            data-span={`${piece.first}-${piece.last + 1}`}
            data-value={piece.weight}
          >
            <span className="sign">{piece.weight > 0 ? "+" : "−"}</span>
            {piece.text}
          </mark>
        ),
      )}
    </span>
  );
}
