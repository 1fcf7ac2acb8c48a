/** How the pages of a study put things. */

import type { Protocol, StudyDesign, StudyDocument, StudyStatus } from "./documents";

export const STATUS: Record<StudyStatus, { label: string; says: string }> = {
  preparing: { label: "Preparing", says: "Texts are chosen and explained. You can leave this page." },
  failed: { label: "Failed", says: "The explanations could not be computed." },
  ready: { label: "Ready", says: "Nobody can enter yet. Look at the preview, rehearse, then publish." },
  published: { label: "Running", says: "People with the link can take part." },
  paused: { label: "Paused", says: "Nobody new can enter; answers so far are kept." },
  closed: { label: "Closed", says: "The study takes no more answers." },
};

/** What a study's status means for its owner now. */
export function saysOf({ status, votes }: Pick<StudyDocument, "status" | "votes">): string {
  const complete = status === "published" && votes.needed > 0 && votes.answered >= votes.needed;
  return complete ? "All answers are in. You can close the study." : STATUS[status].says;
}

export const PROTOCOL: Record<Protocol, { title: string; asks: string; example: string }> = {
  coherence: {
    title: "Coherence",
    asks: "Can people tell from the most important phrase what the model predicted?",
    example: "“not a bad” → Positive, Negative or N/A?",
  },
  preference: {
    title: "Preference",
    asks: "Which of two explanations of one prediction do people find better?",
    example: "Words one by one, or the interaction merged: A or B?",
  },
};

export const RULE: Record<string, string> = {
  minimum_words: "too short",
  maximum_words: "too long",
  length: "length",
  uniform_lengths: "enough of that length already",
  correctly_classified: "classified wrongly by a model",
  has_interaction: "no interaction found",
  polarity_differs: "same polarity in both explanations",
};

/** What the study will take, before anything is computed. Nobody meets a text twice, whatever is shown of it. */
export function effort(design: StudyDesign): string {
  const conditions = design.models.length * design.methods.length;
  const apart = design.protocol === "coherence" && design.screen === "apart";
  const screensEach =
    design.votes * (apart ? conditions : design.protocol === "preference" ? design.models.length : 1);
  const screens = design.items * screensEach;
  const people = Math.max(screensEach, Math.ceil(screens / Math.max(1, design.items_per_person)));
  const lines = design.protocol === "coherence" && !apart && conditions > 1 ? ` of ${conditions} lines` : "";
  return `${counted(design.items, "text")}: ${counted(screens, "screen")}${lines}, by at least ${counted(people, "person", "people")}.`;
}

export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** A p-value as a paper prints it; never a bare zero. */
export function pValue(p: number | null): string {
  if (p === null) return "–";
  if (p < 0.0001) return "< 0.0001";
  return p.toFixed(4);
}

/** With the sign that a paper prints; nothing is less than nothing by rounding. */
export const decimals = (value: number | null, digits = 2): string =>
  value === null
    ? "–"
    : value
        .toFixed(digits)
        .replace(/^-(?=[0.]*$)/, "")
        .replace("-", "−");

export const signed = (value: number | null, digits = 2): string =>
  value === null ? "–" : `${value > 0 ? "+" : ""}${decimals(value, digits)}`;

export const seconds = (milliseconds: number | null): string =>
  milliseconds === null ? "–" : `${(milliseconds / 1000).toFixed(1)} s`;

export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
