/** What was found under each reference, for one question at a time: what belongs to another one is forgotten. */
import type { Explanation, ExplanationRequest } from "../../explanation";

export interface Found {
  question: string;
  explanations: Readonly<Record<string, Explanation>>;
}

export const NOTHING_FOUND: Found = { question: "", explanations: {} };

/** All that the explanations of one question share: target, scale and seed as well as the text. */
export function questionOf(request: ExplanationRequest): string {
  const { reference: _, parameters: __, ...shared } = request;
  return JSON.stringify(shared);
}

export function foundFor(found: Found, question: string): Found["explanations"] {
  return found.question === question ? found.explanations : NOTHING_FOUND.explanations;
}

export function withFound(found: Found, question: string, name: string, explanation: Explanation): Found {
  return { question, explanations: { ...foundFor(found, question), [name]: explanation } };
}
