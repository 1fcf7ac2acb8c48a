/** How pages of diagnoses put things. */
import type { DiagnosisDesign, DiagnosisDocument, DiagnosisResults, ModelFindings } from "../documents";
import { large, listed } from "../wording";

export type Diagnostic = NonNullable<DiagnosisDesign["diagnostics"]>[number];

export const DIAGNOSTICS: Record<Diagnostic, { label: string; hint: string }> = {
  linearity: {
    label: "Linearity",
    hint: "How far word values go with the weights of a bag of words (LS-Tree, Table 2).",
  },
  depth: {
    label: "Depth of top nodes",
    hint: "How high in the tree the strongest interactions lie, beside any nodes (LS-Tree, Figure 3).",
  },
  contrast: {
    label: "Words of contrast",
    hint: "What the model makes of “not”, “but”, “yet”, and of “while” in its meanings (LS-Tree, Tables 4 and 5).",
  },
  overfitting: {
    label: "Overfitting",
    hint: "Whether scores vary more on texts that models, such as checkpoints of a training, have not seen (LS-Tree, Figure 5).",
  },
  fit: {
    label: "Fit by number of interactions",
    hint: "How much of the model’s behaviour around a text interactions catch (MAHE, Table 3).",
  },
  "context-free": {
    label: "Signs of interactions",
    hint: "Whether words interact with the same sign wherever they stand together (MAHE, section 5.3).",
  },
};

/** The colour and dashes that random orders have, too. */
export const CHANCE = 8;

/** The colour of a model: the same wherever it is drawn. */
export const seriesOfModel = (index: number) => index % CHANCE;

const inOrder = Object.keys(DIAGNOSTICS) as Diagnostic[];

export const foundOut = ({ diagnostics }: DiagnosisDesign) =>
  listed(
    inOrder
      .filter((name) => diagnostics?.includes(name))
      .map((name) => DIAGNOSTICS[name].label.toLowerCase()),
  );

export const diagnosisTitle = ({ design }: DiagnosisDocument) =>
  design.title || `Diagnosis of ${listed(design.models)}`;

/** What to keep in mind when reading: warnings, and what is left out. */
export const keptInMind = ({ warnings, models }: DiagnosisResults) => [
  ...warnings,
  ...models.flatMap(leftOut),
];

/** How many texts a model could not be diagnosed on, and the reason that was given most. */
function leftOut({ model, problems }: ModelFindings): string[] {
  const reasons = Object.entries(problems);
  const count = reasons.reduce((sum, [, times]) => sum + times, 0);
  return count > 0 ? [`${model}: ${count} texts are left out (${reasons[0]?.[0]}).`] : [];
}

const OF_SCORES: readonly string[] = ["linearity", "depth", "contrast", "overfitting"];

/** Whether LS-Tree’s scores are there, which can be drawn as one picture. */
export const isScored = ({ diagnostics }: DiagnosisDesign) =>
  diagnostics?.some((name) => OF_SCORES.includes(name)) ?? true;

/** How many training texts stand beside the others. */
export const trainedOn = ({ training_texts }: Pick<DiagnosisDocument, "training_texts">) =>
  training_texts > 0 ? ` and ${large(training_texts)} training texts` : "";
