/**
 * A question: all that decides what the workbench shows. It is what the address bar holds, what the history keeps and
 * what a link shares. Whatever is left out is the interface's own choice.
 */
import type { ExplanationRequest, PlayerKind, Reference, Scale } from "../explanation";
import type { Span, ViewName } from "../views/view";

export const VIEW_NAMES: readonly ViewName[] = ["tree", "ladder", "graph", "interactions", "tokens"];

/** The methods a view opens with. */
export const USUAL_METHODS: Record<ViewName, string> = {
  tree: "ls-tree",
  ladder: "hedge",
  graph: "asiv",
  interactions: "mahe",
  tokens: "shap",
};

export type Settings = Record<string, unknown>;

/** One side of a comparison: what is asked of the server, for all views at once. */
export interface Subject {
  text: string;
  model: string;
  target: string | null;
  scale: Scale | null;
  reference: Reference;
  players: PlayerKind;
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
}

export const FIRST_TEXT = "The music is lovely, but the film is not heartwarming or entertaining.";
export const FIRST_MODEL = "sst2-minilm";

export const FIRST_QUESTION: Question = {
  text: FIRST_TEXT,
  model: FIRST_MODEL,
  target: null,
  scale: null,
  reference: "pad",
  players: "words",
  seed: 0,
  methods: USUAL_METHODS,
  parameters: {},
  only: null,
  selected: null,
  against: null,
};

/** The other side of a comparison. */
export function otherSide(subject: Subject, against: Against): Subject {
  const { methods, ...rest } = against;
  const other: Subject = { ...subject, ...rest, methods: { ...subject.methods, ...methods } };
  // Another method has other parameters, and another text has words of its own.
  for (const view of VIEW_NAMES) {
    if (other.methods[view] !== subject.methods[view])
      other.parameters = { ...other.parameters, [view]: undefined };
  }
  if (against.text !== undefined) other.parameters = withoutGroups(other.parameters);
  return other;
}

function withoutGroups(parameters: Subject["parameters"]): Subject["parameters"] {
  const { graph, ...rest } = parameters;
  if (graph === undefined) return parameters;
  const { groups: _, ...kept } = graph;
  return { ...rest, graph: kept };
}

/** The request for one view. Parameters not chosen by the reader are those of the interface (see budgets.ts). */
export function requestFor(subject: Subject, view: ViewName, usual: Settings): ExplanationRequest {
  return {
    text: subject.text,
    model: subject.model,
    method: subject.methods[view],
    reference: subject.reference,
    players: subject.players,
    seed: subject.seed,
    parameters: { ...usual, ...subject.parameters[view] },
    ...(subject.target !== null && { target: subject.target }),
    ...(subject.scale !== null && { scale: subject.scale }),
  };
}
