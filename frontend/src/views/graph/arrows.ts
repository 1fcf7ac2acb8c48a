/**
 * A result read as a graph: nodes in reading order, and arrows ranked by what they tell.
 *
 * The arrow j → i carries what i adds once j is there (G1), and beside it what i adds in the same places without j (G0).
 * Their difference, the synergy, is the same both ways, so a pair has one synergy and two arrows; of the two the one that
 * tells more is shown first: whose sign the other word turns, or else the larger one without the other.
 */

import appearance from "../../appearance";
import { wholeError } from "../../explanation";
import { phraseOf } from "../../marks";
import { type Span, wordsOf } from "../../spans";
import { asivMeasures, type Measure, publishedMeasures } from "./measures";
import { type AsivResult, at, type GraphExplanation, largest, type PublishedResult } from "./result";

/** Standard errors that a difference must be away from zero to be called clear. */
const CLEAR = appearance.thresholds.clear;

/** Share of the largest number below which another is rounding of single precision. */
const ROUNDING = appearance.thresholds.rounding;

/** Share of the strongest difference that a pair must reach to be among the telling few. */
const TELLING = 0.28;

const FEWEST = 3;
const MOST = 8;

export interface Node {
  index: number;
  /** In words. */
  span: Span;
  text: string;
  /** The Shapley value; the published code has none. */
  value: number | null;
  error: number | null;
  pagerank: number;
}

export interface Arrow {
  given: number;
  adds: number;
  /** What the stroke shows: G1, or the published code's arrow. */
  value: number;
  /** What the ghost shows: G0; the published code has none. */
  without: number | null;
  /** Why the arrow is there: the synergy; for the published code, the interaction inside the arrow. */
  together: number;
  /** What word i loses in the place of word j: the published code's other part. */
  displaced: number | null;
  errors: { value: number; without: number; together: number } | null;
  clear: boolean;
}

export interface Graph {
  published: boolean;
  nodes: readonly Node[];
  /** What is shown first comes first: one arrow for each pair; every arrow for the published code. */
  arrows: readonly Arrow[];
  /** How many of them are clear of their errors: they come before the others. */
  clear: number;
  /** The two nodes that phrase against phrase was asked for. */
  asked: Span | null;
  measures: readonly Measure[];
}

export function graphOf(explanation: GraphExplanation): Graph {
  const { result } = explanation;
  return result.method === "asiv" ? ofAsiv(explanation, result) : ofPublished(explanation, result);
}

function ofAsiv(explanation: GraphExplanation, result: AsivResult): Graph {
  const nodeErrors = new Map(explanation.reading.spans.map((span) => [span.start, wholeError(span)]));
  const nodes = result.nodes.map(([start, end], index) => ({
    ...node(explanation, index, [start, end], result.pagerank),
    value: result.values[index] ?? 0,
    error: nodeErrors.get(start) ?? null,
  }));
  const rounding = ROUNDING * largest(result.present);
  const errorOf = pairErrors(explanation);
  const start = (index: number) => result.nodes[index]?.[0] ?? 0;
  const arrow = (given: number, adds: number): Arrow => {
    const together = at(result.synergy, given, adds);
    const errors = result.standard_errors && {
      value: at(result.standard_errors.present, given, adds),
      without: at(result.standard_errors.absent, given, adds),
      together: at(result.standard_errors.synergy, given, adds),
    };
    return {
      given,
      adds,
      value: at(result.present, given, adds),
      without: at(result.absent, given, adds),
      together,
      displaced: null,
      errors: errors ?? null,
      clear:
        Math.abs(together) >
        Math.max(rounding, CLEAR * errorOf(start(Math.min(given, adds)), start(Math.max(given, adds)))),
    };
  };
  const asked = result.pair ?? null;
  const isAsked = ({ given, adds }: Arrow) => asked?.includes(given) === true && asked.includes(adds);
  const pairs = nodes.flatMap((_, second) =>
    nodes.slice(0, second).map((_, first) => telling(arrow(first, second), arrow(second, first))),
  );
  const arrows = ranked(pairs, (pair) => Math.abs(pair.together), isAsked);
  return {
    published: false,
    nodes,
    arrows,
    clear: arrows.filter((pair) => pair.clear).length,
    asked,
    measures: asivMeasures(result),
  };
}

function ofPublished(explanation: GraphExplanation, result: PublishedResult): Graph {
  const nodes = explanation.players.map((_, index) => ({
    ...node(explanation, index, [index, index + 1], result.pagerank),
    value: null,
    error: null,
  }));
  const errorOf = pairErrors(explanation);
  const arrows = nodes.flatMap((_, given) =>
    nodes.flatMap((_, adds): Arrow[] => {
      if (given === adds) return [];
      const value = at(result.arrows, given, adds);
      const error = at(result.standard_errors, given, adds);
      return [
        {
          given,
          adds,
          value,
          without: null,
          together: at(result.interaction, given, adds),
          displaced: at(result.displacement, given, adds),
          errors: { value: error, without: 0, together: 0 },
          clear: Math.abs(value) > CLEAR * errorOf(given, adds),
        },
      ];
    }),
  );
  const order = ranked(
    arrows,
    (arrow) => Math.abs(arrow.value),
    () => false,
  );
  return {
    published: true,
    nodes,
    arrows: order,
    clear: order.filter((arrow) => arrow.clear).length,
    asked: null,
    measures: publishedMeasures(result),
  };
}

function node(explanation: GraphExplanation, index: number, [start, end]: Span, pagerank: readonly number[]) {
  const text = phraseOf(explanation, start, end) || "·";
  return { index, span: wordsOf(explanation, start, end), text, pagerank: pagerank[index] ?? 0 };
}

/** The whole error of two players, by where they begin; zero where there is none. */
function pairErrors({ reading }: GraphExplanation): (first: number, second: number) => number {
  const known = new Map(reading.pairs.map((pair) => [`${pair.first} ${pair.second}`, wholeError(pair)]));
  return (first, second) => known.get(`${first} ${second}`) ?? 0;
}

/** Of a pair's two arrows, the one that tells more. */
function telling(one: Arrow, other: Arrow): Arrow {
  const turned = (arrow: Arrow) => (arrow.without ?? 0) * arrow.value < 0;
  if (turned(one) !== turned(other)) return turned(one) ? one : other;
  return Math.abs(one.without ?? 0) >= Math.abs(other.without ?? 0) ? one : other;
}

/** What was asked for, then what is clear, then the rest; the server's findings and pictures rank in the same way. */
function ranked(
  arrows: Arrow[],
  strength: (arrow: Arrow) => number,
  first: (arrow: Arrow) => boolean,
): Arrow[] {
  const order = (arrow: Arrow) => (first(arrow) ? 0 : arrow.clear ? 1 : 2);
  return arrows.sort((one, other) => order(one) - order(other) || strength(other) - strength(one));
}

/** What an arrow is called in the picture. */
export function arrowKey({ given, adds }: Pick<Arrow, "given" | "adds">): string {
  return `${given}>${adds}`;
}

/** How many arrows to begin with: clear ones within reach of the strongest. */
export function tellingFew(graph: Graph): number {
  const strength = (arrow: Arrow) => Math.abs(graph.published ? arrow.value : arrow.together);
  const strongest = Math.max(0, ...graph.arrows.slice(0, graph.clear).map(strength));
  const near = graph.arrows
    .slice(0, graph.clear)
    .filter((arrow) => strength(arrow) >= TELLING * strongest).length;
  return Math.min(graph.clear, Math.max(FEWEST, Math.min(MOST, near)));
}

/** The same pair seen from the other side. */
export function reverse(graph: Graph, { given, adds, together, errors, clear }: Arrow): Arrow {
  const [value, without] = graph.measures.map(({ matrix }) => at(matrix, adds, given));
  const [valueError, withoutError] = graph.measures.map(({ errors }) =>
    errors ? at(errors, adds, given) : 0,
  );
  return {
    given: adds,
    adds: given,
    value: value ?? 0,
    without: without ?? 0,
    together,
    displaced: null,
    errors: errors && { value: valueError ?? 0, without: withoutError ?? 0, together: errors.together },
    clear,
  };
}
