/** What the picture of interactions draws: MAHE's levels, or Archipelago's pairs. */

import type { Explanation, ExplanationOf } from "../../explanation";

export type LevelsExplanation = ExplanationOf<"mahe">;
export type MaheResult = LevelsExplanation["result"];
export type MaheLevel = MaheResult["levels"][number];
export type MaheTerm = MaheLevel["terms"][number];
export type PairsExplanation = ExplanationOf<"archipelago">;
export type Pair = PairsExplanation["result"]["pairs"][number];

export function hasLevels(explanation: Explanation): explanation is LevelsExplanation {
  return explanation.result.method === "mahe";
}

export function hasPairs(explanation: Explanation): explanation is PairsExplanation {
  return explanation.result.method === "archipelago";
}
