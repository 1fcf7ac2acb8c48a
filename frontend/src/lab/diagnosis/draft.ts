/** A diagnosis that is being put together. */
import type { DiagnosisDesign } from "../documents";
import { type Draft, FIRST, lackingFirst, mostTexts } from "../draft";
import type { Diagnostic } from "./wording";

export type DiagnosisDraft = Pick<Draft, "title" | "dataset" | "models" | "texts" | "seed"> & {
  diagnostics: string[];
  /** The bag of words; empty where none is chosen. */
  linear: string;
  /** Texts that the models were trained on; null where none are chosen. */
  training: { name: string; content: string } | null;
  /** Words of interactions, one interaction a line. */
  interactions: string;
  draws: number;
};

export const FIRST_DIAGNOSIS: DiagnosisDraft = {
  title: FIRST.title,
  dataset: FIRST.dataset,
  models: [],
  texts: Number.NaN,
  seed: FIRST.seed,
  diagnostics: ["depth", "contrast"],
  linear: "",
  training: null,
  interactions: "",
  draws: 1000,
};

/** The words of each line that has any. */
export const interactionsOf = (written: string): string[][] =>
  written
    .split("\n")
    .map((line) => line.split(/[\s,…]+/).filter(Boolean))
    .filter((words) => words.length > 0);

/** What is still missing, in words; null when nothing is. */
export function lackingDiagnosis(draft: DiagnosisDraft): string | null {
  const first = lackingFirst(draft);
  if (first !== null) return first;
  if (draft.diagnostics.length === 0) return "Choose what is to be found out.";
  if (draft.diagnostics.includes("linearity") && draft.linear === "") return "Choose a bag of words.";
  if (draft.diagnostics.includes("overfitting") && draft.training === null)
    return "Choose a file of texts that the models were trained on.";
  return draft.diagnostics.includes("context-free") ? lackingWords(interactionsOf(draft.interactions)) : null;
}

function lackingWords(interactions: readonly string[][]): string | null {
  if (interactions.length === 0) return "Write the words of an interaction, such as: not good";
  const wrong = interactions.find((words) => words.length < 2 || words.length > 4);
  return wrong ? `An interaction has two to four words: “${wrong.join(" ")}” has ${wrong.length}.` : null;
}

export function toDiagnosis(draft: DiagnosisDraft): DiagnosisDesign {
  return {
    title: draft.title,
    dataset: draft.dataset,
    models: draft.models,
    diagnostics: draft.diagnostics as Diagnostic[],
    linear: draft.diagnostics.includes("linearity") ? draft.linear : null,
    training:
      draft.diagnostics.includes("overfitting") && draft.training
        ? { kind: "file", ...draft.training }
        : null,
    interactions: draft.diagnostics.includes("context-free") ? interactionsOf(draft.interactions) : [],
    draws: draft.draws,
    most_texts: mostTexts(draft.texts),
    seed: draft.seed,
  };
}
