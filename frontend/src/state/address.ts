/**
 * The address bar as a permalink. Only what differs from the interface's own choices is written, in words a reader can
 * understand; what cannot be understood when it is read back is left out rather than shown as an error.
 */

import type { Fill, PlayerKind, Reference, Scale } from "../explanation";
import type { Span } from "../spans";
import { VIEW_NAMES, type ViewName } from "../views/registry";
import {
  type Against,
  FIRST_QUESTION,
  type Question,
  type Settings,
  type Start,
  UNKNOWN_START,
} from "./question";
import { MOST_TYPED } from "./words";

/** The search part of the address, as the router sees it. */
export type Address = Record<string, unknown>;

const SCALES: readonly Scale[] = ["probability", "log_probability", "log_odds", "margin", "logit"];
const FILLS: readonly Fill[] = ["drawn", "likeliest", "in-turn"];
const PLAYERS: readonly PlayerKind[] = ["words", "tokens", "phrases", "sentences", "nested"];

export function toAddress(question: Question): Address {
  const usual = FIRST_QUESTION;
  const address: Address = { text: question.text };
  if (question.model !== "") address.model = question.model;
  if (question.target !== null) address.class = question.target;
  if (question.rather !== null) address.rather = question.rather;
  if (question.at !== null) address.at = question.at;
  if (question.scale !== null) address.scale = question.scale;
  if (question.reference !== usual.reference) address.reference = question.reference;
  if (question.draws !== null) address.draws = question.draws;
  if (question.fill !== null) address.fill = question.fill;
  if (question.players !== null) address.players = question.players;
  if (question.open) address.open = question.open.join("-");
  if (question.seed !== usual.seed) address.seed = question.seed;
  for (const view of VIEW_NAMES) {
    if (question.methods[view] !== usual.methods[view]) address[view] = question.methods[view];
    const chosen = question.parameters[view];
    if (chosen && Object.keys(chosen).length > 0) address[`${view}.with`] = chosen;
  }
  if (question.only) address.only = question.only;
  if (question.selected) address.select = question.selected.join("-");
  if (question.against) address.against = question.against;
  if (question.across) address.across = "references";
  if (question.typed.length > 0) address.words = question.typed;
  if (question.real !== null) address.real = question.real;
  if (question.absent) address.absent = question.absent;
  return address;
}

export function fromAddress(address: Address, start: Start = UNKNOWN_START): Question {
  const usual = FIRST_QUESTION;
  const methods = { ...usual.methods };
  const parameters: Question["parameters"] = {};
  for (const view of VIEW_NAMES) {
    methods[view] = text(address[view]) ?? methods[view];
    const chosen = settings(address[`${view}.with`]);
    if (chosen) parameters[view] = chosen;
  }
  return {
    text: text(address.text) ?? start.text,
    model: text(address.model) ?? start.model,
    target: text(address.class) ?? null,
    rather: text(address.rather) ?? null,
    at: counted(address.at),
    scale: oneOf(SCALES, address.scale) ?? null,
    reference: reference(address.reference) ?? usual.reference,
    draws: counted(address.draws),
    fill: oneOf(FILLS, address.fill) ?? null,
    players: oneOf(PLAYERS, address.players) ?? null,
    open: span(address.open),
    seed: seed(address.seed) ?? usual.seed,
    methods,
    parameters,
    only: oneOf(VIEW_NAMES, address.only) ?? null,
    selected: span(address.select),
    against: against(address.against),
    across: address.across === "references",
    typed: typedWords(address.words),
    real: text(address.real) ?? null,
    absent: places(address.absent),
  };
}

/** A link that shows what is shown now, on this server. */
export function permalink(question: Question, origin: string): string {
  return `${origin}/?${writeSearch(toAddress(question))}`;
}

/** Texts stand as they are; what is not a text is written as JSON, as is a text that would read as such. */
export function writeSearch(address: Address): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(address)) {
    if (value !== undefined) parameters.set(key, written(value));
  }
  return parameters.toString();
}

export function readSearch(search: string): Address {
  return Object.fromEntries([...new URLSearchParams(search)].map(([key, value]) => [key, parsed(value)]));
}

function written(value: unknown): string {
  return typeof value === "string" && parsed(value) === value ? value : JSON.stringify(value);
}

function parsed(value: string): unknown {
  if (!/^(?:["{[]|-?\d|true$|false$|null$)/.test(value)) return value;
  try {
    const read: unknown = JSON.parse(value);
    // Ids of people who come from elsewhere can look like numbers; one that would be written otherwise stays a text.
    return typeof read === "number" && String(read) !== value ? value : read;
  } catch {
    return value;
  }
}

function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : undefined;
}

function oneOf<T extends string>(possible: readonly T[], value: unknown): T | undefined {
  return possible.find((name) => name === value);
}

function seed(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32
    ? value
    : undefined;
}

/** Which there are, the server knows: others can be installed. */
function reference(value: unknown): Reference | undefined {
  return typeof value === "string" && /^[a-z][\w-]*$/i.test(value) ? (value as Reference) : undefined;
}

/** Draws, or a place in the text, before which there is something. */
function counted(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

/** Positions of words; what is none is left out. */
function places(value: unknown): number[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter((each) => Number.isInteger(each) && each >= 0).slice(0, 1000);
}

function typedWords(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === "string").slice(-MOST_TYPED);
}

function settings(value: unknown): Settings | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Settings)
    : undefined;
}

function span(value: unknown): Span | null {
  const found = typeof value === "string" ? /^(\d{1,5})-(\d{1,5})$/.exec(value) : null;
  if (!found) return null;
  const [start, end] = [Number(found[1]), Number(found[2])];
  return start < end ? [start, end] : null;
}

function against(value: unknown): Against | null {
  const given = settings(value);
  if (!given) return null;
  const found: Against = {};
  const other = text(given.text);
  if (other !== undefined) found.text = other;
  const model = text(given.model);
  if (model !== undefined) found.model = model;
  const target = text(given.target);
  if (target !== undefined) found.target = target;
  const standIn = reference(given.reference);
  if (standIn !== undefined) found.reference = standIn;
  const methods: Partial<Record<ViewName, string>> = {};
  for (const view of VIEW_NAMES) {
    const name = text(settings(given.methods)?.[view]);
    if (name !== undefined) methods[view] = name;
  }
  if (Object.keys(methods).length > 0) found.methods = methods;
  return Object.keys(found).length > 0 ? found : null;
}
