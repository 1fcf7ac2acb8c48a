/** A run that is being put together. */
import { USUAL_REFERENCE } from "../explanation";
import type { EvaluationDesign } from "./documents";

type Dataset = NonNullable<EvaluationDesign["dataset"]>;
type References = NonNullable<EvaluationDesign["references"]>;

export interface Draft {
  title: string;
  dataset: Extract<Dataset, { kind: "samples" | "file" }>;
  models: string[];
  methods: string[];
  /** Made elsewhere; null where there are none. */
  explanations: { name: string; content: string } | null;
  references: string[];
  measures: string[];
  /** NaN takes all texts. */
  texts: number;
  bestOrder: boolean;
  gauge: boolean;
  seed: number;
}

export const FIRST: Draft = {
  title: "",
  dataset: { kind: "samples", task: "sentiment" },
  models: [],
  methods: ["leave-one-out", "lime", "hedge", "ls-tree"],
  explanations: null,
  references: [USUAL_REFERENCE],
  measures: [],
  texts: 30,
  bestOrder: true,
  gauge: true,
  seed: 0,
};

export const toggled = (list: readonly string[], name: string, on: boolean): string[] =>
  on ? [...list.filter((each) => each !== name), name] : list.filter((each) => each !== name);

/** What every run needs, whatever it finds out. */
export function lackingFirst({ dataset, models }: Pick<Draft, "dataset" | "models">): string | null {
  if (dataset.kind === "file" && dataset.content === "") return "Choose a file of texts.";
  return models.length === 0 ? "Choose at least one model." : null;
}

/** Null takes all texts. */
export const mostTexts = (texts: number) => (Number.isInteger(texts) ? texts : null);

/** What is still missing, in words; null when nothing is. */
export function lacking(draft: Draft): string | null {
  const first = lackingFirst(draft);
  if (first !== null) return first;
  if (draft.methods.length === 0 && draft.explanations === null)
    return "Choose at least one method, or explanations of your own.";
  if (draft.references.length === 0) return "Choose what stands in for absent words.";
  if (draft.measures.length === 0) return "Choose at least one measure.";
  return null;
}

export function toDesign(draft: Draft): EvaluationDesign {
  return {
    title: draft.title,
    dataset: draft.dataset,
    models: draft.models,
    methods: draft.methods.map((method) => ({ method })),
    explanations: draft.explanations && { kind: "file", ...draft.explanations },
    references: draft.references as References,
    measures: draft.measures,
    most_texts: mostTexts(draft.texts),
    best_order: draft.bestOrder,
    gauge: draft.gauge,
    seed: draft.seed,
  };
}
