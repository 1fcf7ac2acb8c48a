/** What a study's owner sends and is told. */

import type { StudyShown, TaskDocument } from "../annotate/documents";

export type Protocol = "coherence" | "preference";
export type Provider = "plain" | "prolific" | "mturk";
export type StudyStatus = "preparing" | "failed" | "ready" | "published" | "paused" | "closed";

export type Dataset =
  | { kind: "samples"; task: string }
  | {
      kind: "file";
      name: string;
      content: string;
      text_column?: string | null;
      label_column?: string | null;
    };

export type Filters = {
  minimum_words: number;
  maximum_words: number;
  uniform_lengths: boolean;
  correctly_classified: boolean;
  has_interaction: boolean;
  polarity_differs: boolean;
};

export type Texts = { consent: string; instructions: string; thanks: string };
export type Recruiting = { providers: Provider[]; completion_code: string | null };

export type StudyDesign = {
  title: string;
  protocol: Protocol;
  dataset: Dataset;
  models: string[];
  methods: string[];
  filters: Filters;
  items: number;
  votes: number;
  items_per_person: number;
  /** Over how many the tasks are spread; null: everybody gets the most. */
  people: number | null;
  screen: "together" | "apart";
  show_prediction: boolean;
  attention_checks: number;
  practice: null | [];
  minimum_milliseconds: number;
  reclaim_minutes: number;
  texts: Texts;
  recruiting: Recruiting;
  seed: number | null;
};

export type Preparation = {
  candidates: number;
  examined: number;
  kept: number;
  wanted: number;
  removed: Record<string, number>;
  explanations: number;
  note: string | null;
  problem: string | null;
};

export type Links = {
  plain: string | null;
  prolific: string | null;
  mturk: string | null;
  rehearsal: string;
};

export type StudyDocument = {
  id: string;
  status: StudyStatus;
  created: string;
  published: string | null;
  closed: string | null;
  design: StudyDesign;
  seed: number;
  classes: string[];
  conditions: { model: string; method: string }[];
  texts: Texts;
  preparation: Preparation;
  votes: { needed: number; answered: number; reserved: number };
  people: { arrived: number; finished: number; simulated: number };
  links: Links;
};

export type StudyLine = {
  id: string;
  title: string;
  protocol: string;
  status: StudyStatus;
  created: string;
  items: number;
  answered: number;
  needed: number;
};

/** A dataset, read but not kept; `words` says how many texts have which length. */
export type DatasetReading = {
  rows: number;
  labels: Record<string, number>;
  words: Record<string, number>;
  first: string[];
};

export type Preview = { study: StudyShown; practice: TaskDocument[]; tasks: TaskDocument[] };

export type PersonDocument = {
  person: number;
  simulated: boolean;
  stage: string;
  joined: string;
  finished: string | null;
  tasks: number;
  answered: number;
  attention_failed: number;
  attention_checks: number;
  median_milliseconds: number | null;
  left_out: string[];
};

/** A share with its 95% Wilson interval; nothing where there is nothing to count. */
export type Share = {
  count: number;
  of: number;
  share: number | null;
  low: number | null;
  high: number | null;
};

export type Coherence = {
  model: string | null;
  method: string | null;
  coherent: Share;
  no_guess: number;
  items: number;
  item_low: number | null;
  item_high: number | null;
  median_milliseconds: number | null;
};

export type PairedTest = {
  family: "methods" | "models";
  within: string;
  first: string;
  second: string;
  items: number;
  difference: number | null;
  low: number | null;
  high: number | null;
  only_first: number;
  only_second: number;
  mcnemar: number | null;
  mcnemar_holm: number | null;
  bootstrap: number | null;
  bootstrap_holm: number | null;
};

export type Preference = {
  model: string | null;
  first: string;
  second: string;
  majorities: Share;
  ties: number;
  test: { exact_one_sided: number | null; exact_two_sided: number | null; normal_one_sided: number | null };
  votes: Share;
  shown_first: Share;
};

export type Rule = "simulated" | "attention" | "fast" | "extra" | "excluded";
export type Exclusion = { rule: Rule; applied: boolean; people: number; answers: number; says: string };

export type ItemResult = {
  item: string;
  text: string;
  model: string | null;
  method: string | null;
  votes: Record<string, number>;
  prediction: string | null;
  majority: string | null;
};

export type ResultsDocument = {
  study: string;
  title: string;
  protocol: Protocol;
  simulated: boolean;
  people: number;
  answers: number;
  exclusions: Exclusion[];
  coherence: Coherence[];
  comparisons: PairedTest[];
  preference: Preference[];
  agreement: { units: number; ratings: number; alpha: number | null; fleiss: number | null };
  times: { median: number | null; lower_quartile: number | null; upper_quartile: number | null };
  attention: Share;
  items: ItemResult[];
  paragraph: string;
  seed: number;
};
