/** A study on its way to being created: the form's state, and what is still missing in it. */

import type { DatasetReading, StudyDesign } from "../documents";

export const NEW_DESIGN: StudyDesign = {
  title: "",
  protocol: "coherence",
  dataset: { kind: "samples", task: "sentiment" },
  models: [],
  methods: [],
  filters: {
    minimum_words: 3,
    maximum_words: 40,
    uniform_lengths: false,
    correctly_classified: false,
    has_interaction: false,
    polarity_differs: false,
  },
  items: 20,
  votes: 3,
  items_per_person: 20,
  people: null,
  screen: "together",
  show_prediction: false,
  attention_checks: 1,
  practice: null,
  minimum_milliseconds: 1000,
  reclaim_minutes: 60,
  texts: { consent: "", instructions: "", thanks: "" },
  recruiting: { providers: ["plain"], completion_code: null, signed: false, prolific_study: null },
  seed: null,
};

/** The numbers of the published experiments, as a place to start from. */
export function withProtocol(design: StudyDesign, protocol: StudyDesign["protocol"]): StudyDesign {
  if (protocol === design.protocol) return design;
  const { filters } = NEW_DESIGN;
  return protocol === "coherence"
    ? { ...design, protocol, filters, items: 20, votes: 3, items_per_person: 20, people: null }
    : {
        ...design,
        protocol,
        methods: design.methods.slice(0, 2),
        filters: {
          minimum_words: 5,
          maximum_words: 12,
          uniform_lengths: true,
          correctly_classified: true,
          has_interaction: true,
          polarity_differs: true,
        },
        items: 40,
        votes: 5,
        items_per_person: 4,
        people: 60,
      };
}

export const STEPS = ["Question", "Texts", "Explanations", "People", "Words"] as const;

/** What keeps a step from being left, in words; nothing where it is done. */
export function missing(design: StudyDesign, step: number, reading: DatasetReading | null): string | null {
  const { minimum_words, maximum_words } = design.filters;
  switch (STEPS[step]) {
    case "Question":
      return design.title.trim() === "" ? "Give the study a name." : null;
    case "Texts":
      if (reading === null) return "Choose the texts.";
      if (minimum_words > maximum_words) return "The shortest text cannot be longer than the longest.";
      if (left(reading, minimum_words, maximum_words) === 0)
        return "No text has a length within these limits.";
      return within(design.items, 1, 2000) ? null : "Say how many texts to ask about.";
    case "Explanations":
      if (design.models.length === 0) return "Choose at least one model.";
      if (design.protocol === "preference" && design.methods.length !== 2)
        return "Choose the two methods to compare.";
      return design.methods.length === 0 ? "Choose at least one method." : null;
    case "People":
      return within(design.votes, 1, 100) &&
        within(design.items_per_person, 1, 500) &&
        within(design.attention_checks, 0, 10) &&
        (design.people === null || within(design.people, 1, 10_000))
        ? null
        : "One of the numbers is not possible.";
    default:
      return null;
  }
}

/** Texts whose length lies within the limits; the other filters need the models and are counted while preparing. */
export const left = (reading: DatasetReading, least: number, most: number): number =>
  Object.entries(reading.words)
    .filter(([length]) => Number(length) >= least && Number(length) <= most)
    .reduce((sum, [, texts]) => sum + texts, 0);

const within = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;
