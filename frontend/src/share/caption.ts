/** What stands under a picture, here and wherever it goes: in words, everything needed to trust and repeat it. */
import { type Explanation, USUAL_REFERENCE } from "../explanation";

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
    `Model ${explanation.model} (revision ${explanation.revision}); ` +
    `${explanation.provenance.replaceAll(" · ", "; ")}. ` +
    `Made with Espalier, ${date.toISOString().slice(0, 10)}.`
  );
}

/** A name for a file: from the first words of the text, safe on every system. */
export function fileName({ explanation, viewTitle }: Figure, ending: string): string {
  const words = explanation.text.normalize("NFKD").match(/[a-z0-9]+/gi) ?? [];
  const start = words.slice(0, 5).join("-").slice(0, 40).toLowerCase();
  const reference = explanation.reference === USUAL_REFERENCE ? "" : explanation.reference;
  return ["espalier", viewTitle.toLowerCase(), reference, start].filter(Boolean).join("-") + ending;
}
