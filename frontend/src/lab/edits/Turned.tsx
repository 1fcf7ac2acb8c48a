import { Link } from "@tanstack/react-router";
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { useCatalog } from "../../service/catalog";
import { Scroll } from "../../studies/results/Scroll";
import type { EditResults } from "../documents";
import { number } from "../wording";
import { toComparison, toWorkbench } from "../workbench";
import { signed } from "./wording";

type Occurrence = EditResults["occurrences"][number];

/** Small enough for a telephone to show it whole. */
const WIDTH = 440;
const EDGE = 14;
const ROW = 11;
const FOOT = 34;

/** Every other text with the words: what they did together before, and what they do after. */
export function Turned({ results, model }: { results: EditResults; model: string | null }) {
  if (results.occurrences.length === 0) return null;
  const texts = [...results.occurrences].sort((one, other) => one.before - other.before);
  return (
    <section className="card" aria-labelledby="turned">
      <h2 id="turned">In the other texts</h2>
      <ul className="legend">
        <li>
          <Key className="before" /> before
        </li>
        <li>
          <Key className="after" /> after
        </li>
      </ul>
      <figure className="curve-figure">
        <Figure texts={texts} results={results} />
      </figure>
      <p className="hint">
        A line for each text, from the term before to the term after (log-odds, for {results.target}). What
        was turned round crosses the middle.
      </p>
      <Texts texts={texts} results={results} model={model} />
    </section>
  );
}

const Key = ({ className }: { className: string }) => (
  <svg width="14" height="12" aria-hidden="true" className="turns">
    <circle cx={7} cy={6} r={4} className={className} />
  </svg>
);

function Figure({ texts, results }: { texts: readonly Occurrence[]; results: EditResults }) {
  const reach = extent([0, ...texts.flatMap(({ before, after }) => [before, after])]) as [number, number];
  const x = scaleLinear(reach, [EDGE, WIDTH - EDGE]).nice(5);
  const height = (texts.length + 1) * ROW;
  const { turned } = results;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height + FOOT}`}
      className="turns"
      role="img"
      aria-label={`Term of ${results.words.join(" … ")} in each other text, before and after: turned round in ${turned.count} of ${turned.of}`}
    >
      {x.ticks(5).map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={0} y2={height} className={tick === 0 ? "mean" : "rule"} />
          <text x={x(tick)} y={height + 18} textAnchor="middle" className="tick">
            {number(tick, Number.isInteger(tick) ? 0 : 1)}
          </text>
        </g>
      ))}
      {texts.map(({ text, before, after }, index) => (
        <g key={text} transform={`translate(0 ${(index + 1) * ROW})`}>
          <title>{`${text} ${signed(before)}, then ${signed(after)}`}</title>
          <line x1={x(before)} x2={x(after)} y1={0} y2={0} className="way" />
          <circle cx={x(before)} cy={0} r={3.6} className="before" />
          <circle cx={x(after)} cy={0} r={3.6} className="after" />
        </g>
      ))}
    </svg>
  );
}

function Texts({
  texts,
  results,
  model,
}: {
  texts: readonly Occurrence[];
  results: EditResults;
  model: string | null;
}) {
  const { data: catalog } = useCatalog();
  const asked = { model: results.of, method: "mahe", reference: "" };
  const leads = (text: string) =>
    model === null ? toWorkbench(text, asked, catalog) : toComparison(text, results.of, model, catalog);
  return (
    <details>
      <summary>The texts ({texts.length})</summary>
      <Scroll name="Other texts and their terms">
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Text</th>
              <th scope="col" className="number">
                Before
              </th>
              <th scope="col" className="number">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {texts.map(({ text, before, after }) => (
              <tr key={text}>
                <th scope="row" className="sentence">
                  <Link to="/" search={leads(text) as never}>
                    <bdi>{text.length > 160 ? `${text.slice(0, 160)}…` : text}</bdi>
                  </Link>
                </th>
                <td className="number">{signed(before)}</td>
                <td className="number">{signed(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
