import { useNavigate } from "@tanstack/react-router";
import { bin, extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { useState } from "react";
import { Choice } from "../controls/Choice";
import { useCatalog } from "../service/catalog";
import { Problem } from "../studies/Problem";
import { Scroll } from "../studies/results/Scroll";
import type { Points } from "./documents";
import { Sentences } from "./Sentences";
import type { LineOf, Sentenced } from "./sentenced";
import { number } from "./wording";
import { toWorkbench } from "./workbench";

const WIDTH = 900;
const ROW = 42;
const NAMES = 170;
const FOOT = 34;

/** More than so many dots in a row cannot be told apart: then they are counted in bars. */
const MOST_DOTS = 400;

/** One measure, sentence by sentence. Every dot is a sentence, and leads to it. */
export function Distribution({ run }: { run: Sentenced }) {
  const [measure, setMeasure] = useState(run.measures[0]?.name ?? "");
  const { data, error } = run.usePoints(measure);
  const [text, setText] = useState<number | null>(null);
  return (
    <section className="card" aria-labelledby="sentences">
      <div className="card-head">
        <h2 id="sentences">Sentence by sentence</h2>
        <Choice
          label="Measure"
          value={measure}
          options={run.measures.map(({ name, title }) => ({ value: name, title }))}
          onChoose={setMeasure}
        />
      </div>
      <Problem error={error} />
      {data && data.texts.length > 0 && <Dots points={data} run={run} onChoose={setText} />}
      {data && data.texts.length > 0 && (
        <p className="hint">
          {data.texts.length > MOST_DOTS
            ? "Bars count sentences; the table below has each of them."
            : "A dot is a sentence: click it to find it below, twice to open it in the workbench. The line is the mean."}
        </p>
      )}
      <Sentences run={run} measure={measure} start={text} />
    </section>
  );
}

function Dots({ points, run, onChoose }: { points: Points; run: Sentenced; onChoose(text: number): void }) {
  const all = points.values.flat().filter((value) => value !== null);
  const [low = 0, high = 1] = extent(all);
  const x = scaleLinear(high > low ? [low, high] : [low - 1, high + 1], [NAMES, WIDTH - 16]).nice();
  const height = points.lines.length * ROW + FOOT;
  const ticks = x.ticks(6);
  return (
    <Scroll name="Dots of all sentences">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} className="dots" role="img" aria-label={inWords(points, run)}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={x(tick)} x2={x(tick)} y1={0} y2={height - FOOT} className="rule" />
            <text x={x(tick)} y={height - FOOT + 18} textAnchor="middle" className="tick">
              {x.tickFormat(6)(tick)}
            </text>
          </g>
        ))}
        {points.lines.map((line, index) => {
          const named = line as unknown as LineOf;
          const values = points.values[index] ?? [];
          return (
            <g
              key={`${line.model} ${line.method} ${line.reference}`}
              className={`series-${run.series(named)}`}
              transform={`translate(0 ${index * ROW})`}
            >
              <text x={0} y={ROW / 2} dy="0.32em" className="row-name">
                {run.name(named)}
                {run.models.length > 1 && run.name(named) !== line.model && (
                  <tspan className="tick"> {line.model}</tspan>
                )}
              </text>
              {values.length > MOST_DOTS ? (
                <Bars values={values} x={x} />
              ) : (
                <Row values={values} texts={points.texts} x={x} run={run} line={named} onChoose={onChoose} />
              )}
            </g>
          );
        })}
      </svg>
    </Scroll>
  );
}

type Scale = (value: number) => number;

function Row({
  values,
  texts,
  x,
  run,
  line,
  onChoose,
}: {
  values: (number | null)[];
  texts: number[];
  x: Scale;
  run: Sentenced;
  line: LineOf;
  onChoose(text: number): void;
}) {
  const { data: catalog } = useCatalog();
  const navigate = useNavigate();
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return (
    <>
      {values.map((value, index) => {
        const text = texts[index];
        if (value === null || text === undefined) return null;
        return (
          // Who uses keys has the same sentences, each with a link, in the table below.
          // biome-ignore lint/a11y/noStaticElementInteractions: see above
          <circle
            key={text}
            cx={x(value)}
            cy={ROW / 2 + spread(text) * (ROW / 2 - 7)}
            r={3.2}
            className="dot"
            onClick={() => onChoose(text)}
            onDoubleClick={async () => {
              const found = await run.sentence(text);
              if (found) navigate({ to: "/", search: toWorkbench(found, line, catalog) as never });
            }}
          >
            <title>{`Sentence ${text + 1}: ${number(value)}`}</title>
          </circle>
        );
      })}
      {known.length > 0 && <line x1={x(mean)} x2={x(mean)} y1={5} y2={ROW - 5} className="mean" />}
    </>
  );
}

function Bars({ values, x }: { values: (number | null)[]; x: Scale & { domain(): number[] } }) {
  const known = values.filter((value) => value !== null);
  const [from = 0, to = 1] = x.domain();
  const bins = bin().domain([from, to]).thresholds(50)(known);
  const most = Math.max(1, ...bins.map((each) => each.length));
  return bins.map((each) => {
    const height = ((ROW - 8) * each.length) / most;
    const left = x(each.x0 ?? from);
    return (
      <rect
        key={each.x0}
        className="bin"
        x={left}
        y={ROW - 4 - height}
        width={Math.max(0, x(each.x1 ?? to) - left - 1)}
        height={height}
      >
        <title>{`${each.length} sentences from ${number(each.x0)} to ${number(each.x1)}`}</title>
      </rect>
    );
  });
}

/** Between -1 and 1, the same for a sentence in every row. */
const spread = (text: number) => 2 * ((text * 0.618034) % 1) - 1;

function inWords(points: Points, run: Sentenced): string {
  return points.lines
    .map((line, index) => {
      const known = (points.values[index] ?? []).filter((value) => value !== null);
      const [low, high] = extent(known);
      return `${run.name(line as unknown as LineOf)} on ${line.model}: ${known.length} sentences from ${number(low)} to ${number(high)}`;
    })
    .join("; ");
}
