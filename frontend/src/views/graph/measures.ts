/** The numbers that a matrix can show, in words. */

import type { AsivResult, Matrix, PublishedResult } from "./result";

export interface Measure {
  name: string;
  title: string;
  /** Said below the matrix. */
  says: string;
  symmetric: boolean;
  matrix: Matrix;
  errors: Matrix | null;
}

export function asivMeasures(result: AsivResult): Measure[] {
  const errors = result.standard_errors;
  return [
    {
      name: "present",
      title: "with it (G1)",
      says: "What the word of the column adds once the word of the row is there.",
      symmetric: false,
      matrix: result.present,
      errors: errors?.present ?? null,
    },
    {
      name: "absent",
      title: "without it (G0)",
      says: "What the word of the column adds in the same places without the word of the row.",
      symmetric: false,
      matrix: result.absent,
      errors: errors?.absent ?? null,
    },
    {
      name: "synergy",
      title: "synergy (ASIV)",
      says: "With minus without. It is symmetric: the same from row to column and from column to row.",
      symmetric: true,
      matrix: result.synergy,
      errors: errors?.synergy ?? null,
    },
    {
      name: "interaction",
      title: "Shapley interaction index",
      says: "What two words do together beyond what they do apart, over all contexts alike. It is symmetric.",
      symmetric: true,
      matrix: result.interaction,
      errors: errors?.interaction ?? null,
    },
  ];
}

export function publishedMeasures(result: PublishedResult): Measure[] {
  return [
    {
      name: "arrows",
      title: "arrow",
      says: "The published code's arrow from the word of the row to the word of the column.",
      symmetric: false,
      matrix: result.arrows,
      errors: result.standard_errors,
    },
    {
      name: "interaction",
      title: "interaction",
      says: "The part of the arrow that is the two words' interaction; it is symmetric up to the sampling.",
      symmetric: true,
      matrix: result.interaction,
      errors: null,
    },
    {
      name: "displacement",
      title: "lost by moving",
      says: "The other part: what the word of the column loses in the place of the word of the row.",
      symmetric: false,
      matrix: result.displacement,
      errors: null,
    },
  ];
}
