/**
 * A question: all that decides what the workbench shows. It is what the address bar holds, what the history keeps and
 * what a link shares. Whatever is left out is the interface's own choice.
 */

import {
  type ExplanationRequest,
  type Fill,
  type PlayerKind,
  type Reference,
  type Scale,
  USUAL_REFERENCE,
} from "../explanation";
import type { Span } from "../spans";
import { USUAL_METHODS, VIEW_NAMES, type ViewName } from "../views/registry";
import { playersOf } from "./levels";
import { promptOf } from "./words";

export type Settings = Record<string, unknown>;

/** One side of a comparison: what is asked of the server, for all views at once. */
export interface Subject {
  text: string;
  model: string;
  /** The class to explain, or of a language model the next word; none is the likeliest. */
  target: string | null;
  /** The next word that `target` is held against. */
  rather: string | null;
  /** The character of the text before which the prompt ends; none where all of it is the prompt. */
  at: number | null;
  scale: Scale | null;
  reference: Reference;
  /** Texts that the reference draws for each coalition, and how it fills words in; none is its own choice. */
  draws: number | null;
  fill: Fill | null;
  /** The pieces that come and go; none is the interface's choice, by the length of the text. */
  players: PlayerKind | null;
  /** Words of a long text that are open, and whose parts are explained; none is the whole text. */
  open: Span | null;
  seed: number;
  methods: Record<ViewName, string>;
  parameters: Partial<Record<ViewName, Settings>>;
}

/** What the other side of a comparison does differently. */
export type Against = Partial<Pick<Subject, "text" | "model" | "target" | "reference">> & {
  methods?: Partial<Record<ViewName, string>>;
};

export interface Question extends Subject {
  /** The view that has the whole width, or none: all are shown. */
  only: ViewName | null;
  selected: Span | null;
  against: Against | null;
  /** Whether one view is shown under all references instead of several views under one. */
  across: boolean;
  /** Next words that somebody typed: they stay among the likely ones for as long as the text does. */
  typed: readonly string[];
  /** The word that really comes next, where somebody said so; of a word of the text the text says it. */
  real: string | null;
  /** Words that are out where it is shown what stands in for them; none is the interface's own choice. */
  absent: readonly number[] | null;
}

/** What a page opens with whose address says nothing. Which models there are, only the catalog knows. */
export interface Start {
  text: string;
  model: string;
}

export const UNKNOWN_START: Start = {
  text: "The music is lovely, but the film is not heartwarming or entertaining.",
  model: "",
};

export const FIRST_QUESTION: Question = {
  ...UNKNOWN_START,
  target: null,
  rather: null,
  at: null,
  scale: null,
  reference: USUAL_REFERENCE,
  draws: null,
  fill: null,
  players: null,
  open: null,
  seed: 0,
  methods: USUAL_METHODS,
  parameters: {},
  only: null,
  selected: null,
  against: null,
  across: false,
  typed: [],
  real: null,
  absent: null,
};

/** Nothing said of next words: for another text, or another model. */
export const NO_WORDS = {
  target: null,
  rather: null,
  at: null,
  against: null,
  typed: [],
  real: null,
} satisfies Partial<Question>;

/** The same under a reference: another one draws and fills in by its own choice, or not at all. */
export function under<S extends Subject>(subject: S, reference: Reference): S {
  return reference === subject.reference ? subject : { ...subject, reference, draws: null, fill: null };
}

/** The other side of a comparison. */
export function otherSide(subject: Subject, against: Against): Subject {
  const { methods, reference = subject.reference, ...rest } = against;
  const other: Subject = {
    ...under(subject, reference),
    ...rest,
    methods: { ...subject.methods, ...methods },
  };
  // Another method has other parameters, and another text has words of its own.
  for (const view of VIEW_NAMES) {
    if (other.methods[view] !== subject.methods[view])
      other.parameters = { ...other.parameters, [view]: undefined };
  }
  if (against.text !== undefined) {
    other.at = null;
    other.open = null;
  }
  if (against.text !== undefined) other.parameters = withoutGroups(other.parameters);
  return other;
}

/** Groups are counted in the players of one text, or of one of its levels. */
export function withoutGroups(parameters: Subject["parameters"]): Subject["parameters"] {
  const kept = { ...parameters };
  for (const view of VIEW_NAMES) {
    const { groups, ...rest } = kept[view] ?? {};
    if (groups !== undefined) kept[view] = rest;
  }
  return kept;
}

/**
 * The request for one view. Parameters not chosen by the reader are those of the interface (see budgets.ts). What is
 * explained of a language model is called otherwise than a class.
 */
export function requestFor(
  subject: Subject,
  view: ViewName,
  usual: Settings,
  words = false,
): ExplanationRequest {
  const players = playersOf(subject, words);
  return {
    text: promptOf(subject),
    model: subject.model,
    method: subject.methods[view],
    reference: subject.reference,
    ...(subject.draws !== null && { draws: subject.draws }),
    ...(subject.fill !== null && { fill: subject.fill }),
    players,
    ...(players === "nested" && subject.open && { open: [...subject.open] as [number, number] }),
    seed: subject.seed,
    parameters: { ...usual, ...subject.parameters[view] },
    ...outcomeOf(subject, words),
    ...(subject.scale !== null && { scale: subject.scale }),
  };
}

/** What is explained, in the server's words. */
export function outcomeOf(
  { target, rather }: Pick<Subject, "target" | "rather">,
  words: boolean,
): Partial<ExplanationRequest> {
  if (!words) return target === null ? {} : { target };
  return { ...(target !== null && { outcome: target }), ...(rather !== null && { against: rather }) };
}
