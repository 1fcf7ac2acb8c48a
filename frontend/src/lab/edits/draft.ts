/** An edit that is being put together. */
import type { EditDesign } from "../documents";
import { type Draft, FIRST } from "../draft";

type Source = Draft["dataset"];

export interface EditDraft {
  title: string;
  model: string;
  /** As they are typed, in their order. */
  words: string;
  text: string;
  /** Empty is the model’s last class. */
  target: string;
  dataset: Source;
  /** A file of labelled texts; null where half of the dataset’s are counted. */
  test: { name: string; content: string } | null;
  strength: number;
  steps: number;
  keep: number;
  matching: number;
  draws: number;
  seed: number;
}

export const STRENGTHS = [3, 3.5, 4] as const;

export const FIRST_EDIT: EditDraft = {
  title: "",
  model: "",
  words: "",
  text: "",
  target: "",
  dataset: FIRST.dataset,
  test: null,
  strength: 3,
  steps: 400,
  keep: 1000,
  matching: 40,
  draws: 1000,
  seed: 0,
};

export const wordsOf = (written: string): string[] => written.split(/[\s,…]+/).filter(Boolean);

/** What is still missing, in words; null when nothing is. */
export function lackingEdit({ model, words, text, dataset, test }: EditDraft): string | null {
  if (model === "") return "Choose a model.";
  const found = wordsOf(words);
  if (found.length === 0) return "Write the words whose interaction is to be turned round, such as: not good";
  if (found.length < 2 || found.length > 4)
    return `An interaction has two to four words: “${found.join(" ")}” has ${found.length}.`;
  if (text.trim() === "") return "Write a text in which these words stand.";
  if (dataset.kind === "file" && dataset.content === "") return "Choose a file of texts.";
  return test !== null && test.content === "" ? "Choose a file of labelled texts." : null;
}

export function toEdit(draft: EditDraft): EditDesign {
  return {
    title: draft.title,
    model: draft.model,
    words: wordsOf(draft.words),
    text: draft.text.trim(),
    target: draft.target || null,
    dataset: draft.dataset,
    test: draft.test && { kind: "file", ...draft.test },
    strength: draft.strength,
    steps: draft.steps,
    keep: draft.keep,
    most_matching: draft.matching,
    draws: draft.draws,
    seed: draft.seed,
  };
}
