/** What stands under a picture, here and wherever it goes: in words, everything needed to trust and repeat it. */
import { type Explanation, targetClass } from "../explanation";

const STAND_INS: Record<Explanation["reference"], string> = {
  pad: "absent words hidden (pad)",
  mask: "absent words masked (mask)",
  delete: "absent words cut out (delete)",
  marginal: "absent words from other sentences (marginal)",
};

const count = new Intl.NumberFormat("en");

export function provenance(explanation: Explanation): string {
  const { evaluations, seconds, reference, seed } = explanation;
  const reused = evaluations.reused > 0 ? ` (${count.format(evaluations.reused)} reused)` : "";
  return [
    certainty(explanation),
    `${count.format(evaluations.distinct)} evaluation${evaluations.distinct === 1 ? "" : "s"}${reused}`,
    `${seconds.total.toFixed(2)} s`,
    scaleName(explanation),
    STAND_INS[reference],
    `seed ${seed}`,
  ].join(" · ");
}

/** Exact numbers, sampled ones with standard errors, or an approximation that has none. */
export function certainty({ result }: Explanation): string {
  if (result.exact) return "exact";
  const sampled = Object.entries(result).some(([name, value]) => /error/.test(name) && value !== null);
  return sampled ? "± standard error" : "approximate";
}

export function scaleName(explanation: Pick<Explanation, "scale" | "classes" | "target">): string {
  return `${explanation.scale.replace("_", " ")} of ${targetClass(explanation)}`;
}

export interface Figure {
  explanation: Explanation;
  viewTitle: string;
  methodTitle: string;
}

/** The caption of a figure in a paper: title, sentence, model, method, seed, date. */
export function caption({ explanation, viewTitle, methodTitle }: Figure, date: Date): string {
  const finding = explanation.finding ? `${explanation.finding} ` : "";
  return (
    `${viewTitle} (${methodTitle}) of “${explanation.text.trim()}”. ${finding}` +
    `Model ${explanation.model} (revision ${explanation.revision}), ${scaleName(explanation)}; ` +
    `${STAND_INS[explanation.reference]}; ${certainty(explanation)}; ` +
    `${count.format(explanation.evaluations.distinct)} evaluations; seed ${explanation.seed}. ` +
    `Made with Espalier, ${date.toISOString().slice(0, 10)}.`
  );
}

/** A name for a file: from the first words of the text, safe on every system. */
export function fileName({ explanation, viewTitle }: Figure, ending: string): string {
  const words = explanation.text.normalize("NFKD").match(/[a-z0-9]+/gi) ?? [];
  const start = words.slice(0, 5).join("-").slice(0, 40).toLowerCase();
  return ["espalier", viewTitle.toLowerCase(), start].filter(Boolean).join("-") + ending;
}
