import { Scroll } from "../../studies/results/Scroll";
import type { EditResults } from "../documents";
import { meanOf, NumberCell } from "../NumberCell";
import { signed } from "./wording";

export const NUMBERS_NOTE =
  "Terms are log-odds of exactly these words beside all single words. Shares with Wilson’s intervals; points " +
  "lost, of a hundred, with a bootstrap interval over the labelled texts.";

interface Number {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number;
}

interface Line {
  name: string;
  /** Null where there is nothing to say. */
  before: Number | string | null;
  after: Number | string | null;
  digits: number;
  domain: readonly [number, number];
}

type Share = EditResults["before"];

const shareOf = ({ share, low, high, of }: Share): Number => ({ value: share, low, high, n: of });

/** What is in the table, and in the report. */
export function linesOf(results: EditResults): Line[] {
  const { before, after, turned, accuracy, held_out, target } = results;
  const share = { digits: 3, domain: [0, 1] } as const;
  const lines: Line[] = [
    {
      name: `Term in the edited text, for ${target}`,
      before: signed(results.here_before),
      after: signed(results.here_after),
      digits: 2,
      domain: [0, 1],
    },
    {
      name: `${held_out} other texts: its sign before, the opposite after`,
      before: shareOf(before),
      after: shareOf(after),
      ...share,
    },
    {
      name: `Of the ${turned.of} with its sign before: turned round`,
      before: null,
      after: shareOf(turned),
      ...share,
    },
  ];
  if (!accuracy) return lines;
  const lost = meanOf(accuracy.lost);
  const reach = Math.max(1, Math.abs(lost.low ?? lost.value ?? 0), Math.abs(lost.high ?? lost.value ?? 0));
  return [
    ...lines,
    {
      name: `Accuracy on ${accuracy.before.of} labelled texts`,
      before: shareOf(accuracy.before),
      after: shareOf(accuracy.after),
      ...share,
    },
    { name: "Points of accuracy lost", before: null, after: lost, digits: 1, domain: [-reach, reach] },
  ];
}

/** What became of the words, here and elsewhere, and what it cost. */
export function NumbersTable({ results }: { results: EditResults }) {
  return (
    <section className="card" aria-labelledby="numbers">
      <h2 id="numbers">Before and after</h2>
      <Scroll name="Numbers before and after">
        <table className="measures edit-numbers">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="number">
                Before
              </th>
              <th scope="col" className="number">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {linesOf(results).map((line) => (
              <tr key={line.name}>
                <th scope="row" className="sentence">
                  {line.name}
                </th>
                <Shown line={line} part="before" />
                <Shown line={line} part="after" />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="hint">{NUMBERS_NOTE}</p>
    </section>
  );
}

function Shown({ line, part }: { line: Line; part: "before" | "after" }) {
  const shown = line[part];
  if (shown === null) return <td />;
  if (typeof shown === "string") return <td className="number">{shown}</td>;
  return <NumberCell {...shown} digits={line.digits} domain={line.domain} />;
}
