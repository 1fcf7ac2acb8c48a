/** The sentence as blocks to scale, each in the colour of what its word says: where words do not fit, the first row has it. */

import { memo } from "react";
import { filled } from "../../colour";
import { exactly } from "../../marks";
import { type Span, spanKey } from "../../spans";
import { round } from "./BeamRow";
import type { Strip } from "./strip";

export interface SentenceMapProps {
  strip: Strip;
  spans: readonly Span[];
  values: readonly number[];
  domain: number;
  middle: number;
}

export const SentenceMap = memo(function SentenceMap({
  strip,
  spans,
  values,
  domain,
  middle,
}: SentenceMapProps) {
  return strip.places.map((place, player) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place.
      key={player}
      data-player={player}
      data-span={spanKey(spans[player] ?? [0, 0])}
      data-value={exactly(values[player] ?? 0)}
      x={round(place.left)}
      y={middle + 16}
      width={round(Math.max(1.5, place.width))}
      height={7}
      rx={1.5}
      {...filled(values[player] ?? 0, domain)}
    />
  ));
});
