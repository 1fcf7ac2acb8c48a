import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { showFunctions } from "../../client";
import { buttonLook } from "../../controls/Button";
import { answerOf } from "../../service/call";
import { useTitle } from "../../shell/useTitle";
import { Problem } from "../../studies/Problem";
import { Scroll } from "../../studies/results/Scroll";
import "../../studies/studies.css";
import type { FittedFunction, MeanInterval } from "../documents";
import "../lab.css";
import { FunctionsFigure, WAYS } from "./FunctionsFigure";
import { reachOf, written } from "./wording";

const BASES = [
  { base: "function", title: "The function itself" },
  { base: "trees", title: "Boosted trees" },
  { base: "mlp", title: "Multilayer perceptron" },
  { base: "lstm", title: "LSTM" },
] as const;

/** `/lab/functions`: MAHE where the truth is known (Figure 3a of its paper). */
export default function FunctionsPage() {
  useTitle("Known interactions");
  const { data, error } = useQuery({
    queryKey: ["functions"],
    queryFn: ({ signal }) => answerOf(showFunctions({ signal })),
  });
  return (
    <div className="studies lab">
      <p className="trail">
        <Link to="/lab">Lab</Link>
      </p>
      <header className="page-head">
        <div>
          <h1>Interactions that are known</h1>
          <p className="hint">
            In each of four functions of ten numbers one group of inputs interacts. Around random points MAHE
            is told which, fits it, and is held against the truth: the error through the truth’s variance, so
            that 1 is what an explanation without interactions has, and 0 is the truth (Figure 3a of the
            paper).
          </p>
        </div>
        <div className="actions">
          <a
            href="/v1/functions/picture.svg"
            download="functions.svg"
            className={buttonLook({ size: "medium" })}
          >
            Picture, SVG
          </a>
        </div>
      </header>
      <Problem error={error} />
      {data && (
        <div className="overview">
          <ul className="said">
            {data.fitted
              .filter(({ base }) => base === data.fitted[0]?.base)
              .map((each) => (
                <li key={each.function}>
                  {each.function} = {each.formula}
                </li>
              ))}
          </ul>
          {BASES.map(({ base, title }) => (
            <Asked
              key={base}
              title={title}
              fitted={data.fitted.filter((each) => each.base === base)}
              all={data.fitted}
            />
          ))}
          <p className="hint">
            {data.trials * data.points} points a function; means with 95 % bootstrap intervals. “The model
            itself” is all that the asked model says beyond an affine fit: how well it has learnt the
            interaction in the first place. No explanation of it can be blamed for that.
          </p>
        </div>
      )}
    </div>
  );
}

function Asked({
  title,
  fitted,
  all,
}: {
  title: string;
  fitted: readonly FittedFunction[];
  all: readonly FittedFunction[];
}) {
  if (fitted.length === 0) return null;
  const heading = `asked-${fitted[0]?.base}`;
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <ul className="legend">
        {WAYS.map(({ part, title: way, series }) => (
          <li key={part} className={`series-${series}`}>
            <svg width="12" height="12" aria-hidden="true">
              <circle cx={6} cy={6} r={4.2} className="dot" />
            </svg>
            {way}
          </li>
        ))}
      </ul>
      <FunctionsFigure title={title} fitted={fitted} reach={reachOf(all)} />
      <Scroll name={`Errors: ${title}`}>
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Function</th>
              {WAYS.map(({ part, title: way }) => (
                <th key={part} scope="col" className="number">
                  {way} <span aria-hidden="true">↓</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fitted.map((each) => (
              <tr key={each.function}>
                <th scope="row" title={each.formula}>
                  {each.function}
                </th>
                {WAYS.map(({ part }) => (
                  <td key={part} className="number">
                    {written(each[part].mean)}
                    <Span of={each[part]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** Nothing where the error is nothing, too. */
function Span({ of: { mean, low, high } }: { of: MeanInterval }) {
  if (low === null || high === null || written(mean) === "0") return null;
  return (
    <span className="hint">
      {" "}
      ({written(low)} to {written(high)})
    </span>
  );
}
