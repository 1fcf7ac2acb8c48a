import { Scroll } from "../../studies/results/Scroll";
import { CurvePlot, Legend, type PlotLine } from "../CurvePlot";
import type { DiagnosisResults, ModelFindings } from "../documents";
import { domainOf, meanOf, NumberCell } from "../NumberCell";
import { number } from "../wording";
import { CHANCE } from "./wording";

/** The level below which the paper stops a training. */
const LEVEL = 0.05;

export const OVERFITTING_NOTE =
  "The variance of the absolute scores of a text’s nodes; means over texts with 95 % bootstrap intervals. p: that " +
  "it is no larger on texts that were not trained on, one-sided, by permutations. Loss and accuracy, on training " +
  "texts and on others, where texts have labels; the test does not use them.";

type Test = NonNullable<ModelFindings["overfitting"]>;

interface Tested {
  model: string;
  test: Test;
}

export const testsOf = ({ models }: DiagnosisResults): Tested[] =>
  models.flatMap(({ model, overfitting }) => (overfitting ? [{ model, test: overfitting }] : []));

/** Whether each model knows its training texts too well: over the epochs of a training, LS-Tree’s Figure 5. */
export function Overfitting({ results }: { results: DiagnosisResults }) {
  const tests = testsOf(results);
  if (tests.length === 0) return null;
  const domain = domainOf(
    tests.flatMap(({ test }) => [test.train, test.test].map((side) => meanOf(side.variance))),
  );
  return (
    <section className="card" aria-labelledby="overfitting">
      <h2 id="overfitting">Overfitting</h2>
      {tests.length > 1 && <Figures tests={tests} />}
      <Scroll name="Tests of overfitting">
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Model</th>
              {HEAD.map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tests.map(({ model, test }) => (
              <tr key={model}>
                <th scope="row">{model}</th>
                <NumberCell {...meanOf(test.train.variance)} domain={domain} />
                <NumberCell {...meanOf(test.test.variance)} domain={domain} />
                <td className="number">{number(test.p, 4)}</td>
                <td className="number">{both(test, "loss")}</td>
                <td className="number">{both(test, "accuracy")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="hint">{OVERFITTING_NOTE}</p>
    </section>
  );
}

export const HEAD = ["On training texts", "On others", "p", "Loss", "Accuracy"] as const;

export const both = ({ train, test }: Test, what: "loss" | "accuracy") =>
  train[what] === null && test[what] === null ? "–" : `${number(train[what])} / ${number(test[what])}`;

function Figures({ tests }: { tests: readonly Tested[] }) {
  const axis = {
    name: "models in their order",
    ticks: tests.map((_, index) => index + 1),
    written: String,
  };
  const figures = figuresOf(tests);
  const lines = new Map(figures.flatMap((figure) => figure.lines.map((line) => [line.name, line])));
  return (
    <>
      <Legend lines={[...lines.values()]} />
      <div className="curves">
        {figures.map((figure) => (
          <CurvePlot key={figure.title} {...figure} axis={axis} said={inWords(figure, tests)} />
        ))}
      </div>
    </>
  );
}

interface Figure {
  title: string;
  lines: PlotLine[];
}

/** As in the paper: the loss, the variance, and the p value of each model; the loss where there are labels. */
export function figuresOf(tests: readonly Tested[]): Figure[] {
  const level = [1, tests.length].map((at) => ({ at, ...exact(LEVEL) }));
  const p = tests.map(({ test }, index) => ({ at: index + 1, ...exact(test.p) }));
  return [
    { title: "Loss", lines: sides(tests, ({ loss }) => exact(loss)) },
    { title: "Variance of scores", lines: sides(tests, ({ variance }) => variance) },
    {
      title: "p of the test",
      lines: [
        { name: "p", series: 2, points: p },
        { name: "5 %", series: CHANCE, points: level },
      ],
    },
  ].filter(({ lines }) => lines.length > 0);
}

const exact = <Value extends number | null>(mean: Value) => ({ mean, low: null, high: null });

/** A line for training texts and one for others, where there are numbers. */
function sides(
  tests: readonly Tested[],
  shown: (side: Test["train"]) => { mean: number | null; low: number | null; high: number | null },
): PlotLine[] {
  const lines = (["train", "test"] as const).map((side, series) => ({
    name: SIDES[side],
    series,
    points: tests.flatMap(({ test }, index) => {
      const { mean, low, high } = shown(test[side]);
      return mean === null ? [] : [{ at: index + 1, mean, low, high }];
    }),
  }));
  return lines.filter(({ points }) => points.length > 0);
}

const SIDES = { train: "training texts", test: "others" } as const;

function inWords({ title, lines }: Figure, tests: readonly Tested[]): string {
  const last = tests.at(-1)?.model;
  const said = lines.map(({ name, points }) => `${name} ${number(points.at(-1)?.mean)}`);
  return `${title} of ${tests.length} models; of the last, ${last}: ${said.join(", ")}`;
}
