/** What stands around the picture of interactions: its legend, how to read it, and its numbers as a table. */

import { type Explanation, targetClass } from "../../explanation";
import { playerNames, ScaleLegend, WHISKER } from "../../marks";
import type { Table } from "../view";
import { readLevels } from "./levels";
import { hasLevels, hasPairs } from "./result";

export function Legend({ explanation, domain }: { explanation: Explanation; domain: number }) {
  return (
    <ScaleLegend target={targetClass(explanation)} domain={domain}>
      {hasLevels(explanation) ? (
        <span>
          words: what they say alone · beam: what they bring together · grey bar: share explained, the pale
          part by the level before · {WHISKER}
        </span>
      ) : (
        <span>beam: how far two words are from adding up in the text · grey bar: strength of the pair</span>
      )}
    </ScaleLegend>
  );
}

export function HowToRead() {
  return (
    <>
      <p>
        The first row explains the model with single words only: each has one number, and the bar (R²) says
        how much of the model's behaviour around this text they account for, measured on samples that were not
        used for fitting.
      </p>
      <p>
        Each row below adds one group of words that act together. The words stand at their places in the
        sentence, with what each says alone under it; the beam and the number at the end are what the group
        brings beyond that.
      </p>
      <p>
        “Added up → together” compares the sum of the words with what they say as a group. A change of sign,
        such as a “not” that turns praise around, shows here first.
      </p>
      <p>
        The bar grows from row to row; its pale part is what the row before explained already. Open a row to
        see every combination of its words.
      </p>
      <p>
        With Archipelago there are no levels: words that interact are joined into islands, and pairs are
        ranked by how far they are from adding up, in the text and with all other words absent.
      </p>
    </>
  );
}

export function largest(explanation: Explanation): number {
  const most = (values: readonly number[]) =>
    values.reduce((seen, value) => Math.max(seen, Math.abs(value)), 0);
  if (hasLevels(explanation)) {
    const levels = readLevels(explanation.result);
    return most(
      levels.flatMap(({ weights, term, together }) => [
        ...weights,
        ...(term ? [term.contribution, together] : []),
      ]),
    );
  }
  if (!hasPairs(explanation)) return 0;
  const { pairs, islands } = explanation.result;
  return most([
    ...pairs.flatMap(({ in_full_text, alone }) => [in_full_text, alone]),
    ...islands.map(({ contribution }) => contribution),
  ]);
}

export function table(explanation: Explanation): Table {
  const names = playerNames(explanation);
  const called = (players: readonly number[]) => players.map((player) => names[player] ?? "").join(" + ");
  if (hasLevels(explanation))
    return {
      columns: [
        "level",
        "adds",
        "brings",
        "± brings",
        "added up",
        "together",
        "R² held out",
        "± R²",
        "R² train",
      ],
      rows: readLevels(explanation.result).map(({ index, level, term, apart, together }) => [
        index,
        term ? called(term.players) : "words alone",
        term?.contribution ?? null,
        term?.standard_error ?? null,
        term ? apart : null,
        term ? together : null,
        level.r2_held_out,
        level.r2_standard_error,
        level.r2_train,
      ]),
    };
  if (!hasPairs(explanation)) return { columns: [], rows: [] };
  return {
    columns: ["words", "strength", "in the text", "alone"],
    rows: explanation.result.pairs.map(({ players, strength, in_full_text, alone }) => [
      called(players),
      strength,
      in_full_text,
      alone,
    ]),
  };
}
