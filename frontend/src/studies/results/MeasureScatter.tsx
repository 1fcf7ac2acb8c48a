import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { symbol, symbolsFill } from "d3-shape";
import { useState } from "react";
import { Choice } from "../../controls/Choice";
import type { MeasuredItem, PeopleAndMeasures } from "../documents";
import { counted, decimals } from "../wording";
import { Scroll } from "./Scroll";

const WIDTH = 640;
const HEIGHT = 300;
const EDGE = { top: 14, right: 16, bottom: 46, left: 52 };

/** So far are items moved that would lie upon each other: few people give few different shares. */
const SPREAD = 9;

type Point = { item: MeasuredItem; value: number };

/** Every item as a mark: its measure to the right, the share of right guesses upwards. */
export function MeasureScatter({ data, chance }: { data: PeopleAndMeasures; chance: number }) {
  const models = [...new Set(data.items.map(({ model }) => model))];
  const methods = [...new Set(data.items.map(({ method }) => method))];
  const [model, setModel] = useState(models[0] ?? "");
  const [name, setName] = useState(data.measures[0]?.name ?? "");
  const measure = data.measures.find((each) => each.name === name);
  const points = data.items.flatMap((item) => {
    const value = item.values[name];
    return item.model === model && typeof value === "number" ? [{ item, value }] : [];
  });
  return (
    <>
      <div className="scatter-choices">
        <Choice
          label="Measure"
          value={name}
          options={data.measures.map(({ name, title }) => ({ value: name, title }))}
          onChoose={setName}
        />
        {models.length > 1 && (
          <Choice
            label="Model"
            value={model}
            options={models.map((each) => ({ value: each, title: each }))}
            onChoose={setModel}
          />
        )}
      </div>
      {methods.length > 1 && (
        <ul className="scatter-legend">
          {methods.map((method, series) => (
            <li key={method} className={`series-${series % 8}`}>
              <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
                <path d={mark(series)} />
              </svg>
              {method}
            </li>
          ))}
        </ul>
      )}
      <Scroll name="Marks of all items">
        <Marks points={points} methods={methods} title={measure?.title ?? name} chance={chance} />
      </Scroll>
      <p className="hint">
        A mark is a text explained in one way; marks that would hide each other are moved a little up or down.
        The dashed line is what guessing would reach.
      </p>
    </>
  );
}

function Marks({
  points,
  methods,
  title,
  chance,
}: {
  points: Point[];
  methods: string[];
  title: string;
  chance: number;
}) {
  const [low = 0, high = 1] = extent(points, ({ value }) => value);
  const x = scaleLinear(high > low ? [low, high] : [low - 1, high + 1], [
    EDGE.left + 8,
    WIDTH - EDGE.right,
  ]).nice();
  const y = scaleLinear([0, 1], [HEIGHT - EDGE.bottom - SPREAD, EDGE.top + SPREAD]);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="scatter"
      role="img"
      aria-label={`${title} and the share of right guesses of ${counted(points.length, "item")}; the table above has their correlations.`}
    >
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} className="rule" />
          <text x={EDGE.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {x.ticks(6).map((tick) => (
        <text key={tick} x={x(tick)} y={HEIGHT - EDGE.bottom + 18} textAnchor="middle">
          {x.tickFormat(6)(tick)}
        </text>
      ))}
      <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(chance)} y2={y(chance)} className="chance" />
      <text x={(EDGE.left + WIDTH - EDGE.right) / 2} y={HEIGHT - 6} textAnchor="middle">
        {title}
      </text>
      <text transform={`translate(14 ${(y(0) + y(1)) / 2}) rotate(-90)`} textAnchor="middle">
        Right guesses
      </text>
      {points.map(({ item, value }, index) => {
        const series = methods.indexOf(item.method);
        const share = item.right / item.guesses;
        return (
          <path
            key={`${item.item} ${item.method}`}
            className={`item series-${series % 8}`}
            d={mark(series)}
            transform={`translate(${x(value)} ${y(share) + SPREAD * (2 * ((index * 0.618034) % 1) - 1)})`}
          >
            <title>{`${item.text}\n${item.method}: ${decimals(value, 3)}, ${item.right} of ${item.guesses} right`}</title>
          </path>
        );
      })}
    </svg>
  );
}

/** A shape for each method, for those who cannot tell the colours apart. */
const mark = (series: number): string => symbol(symbolsFill[series % symbolsFill.length], 58)() ?? "";
