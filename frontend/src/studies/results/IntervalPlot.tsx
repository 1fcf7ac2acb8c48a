import type { ReactNode } from "react";

/** A share of answers with its interval; `low` and `high` are null before the first answer. */
export type Interval = {
  name: string;
  count: number;
  total: number;
  share: number | null;
  low: number | null;
  high: number | null;
};

type Props = {
  caption: ReactNode;
  /** What the names are: "Method", "Model". */
  heading: string;
  rows: Interval[];
  /** What answers without looking would reach, drawn as a line to compare with. */
  chance?: number | null;
  /** What `count` counts, for the column's head. */
  counted: string;
};

const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** A dot for each share and a whisker for its interval: a table whose middle column is the picture. */
export function IntervalPlot({ caption, heading, rows, chance = null, counted }: Props) {
  return (
    <table className="intervals">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col" className="picture">
            <span className="unseen">Share with its 95% interval, from 0 to 1</span>
            <span className="scale" aria-hidden="true">
              {TICKS.map((tick) => (
                <span key={tick} style={{ insetInlineStart: `${tick * 100}%` }}>
                  {tick}
                </span>
              ))}
            </span>
          </th>
          <th scope="col" className="number">
            Share
          </th>
          <th scope="col" className="number">
            95% interval
          </th>
          <th scope="col" className="number">
            {counted}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.name}
            data-name={row.name}
            data-share={row.share ?? ""}
            data-low={row.low ?? ""}
            data-high={row.high ?? ""}
            data-count={row.count}
            data-total={row.total}
          >
            <th scope="row">{row.name}</th>
            <td className="picture">
              <Whisker row={row} chance={chance} />
            </td>
            <td className="number strong">{row.share === null ? "–" : row.share.toFixed(2)}</td>
            <td className="number">
              {row.low === null || row.high === null ? "–" : `${row.low.toFixed(2)} – ${row.high.toFixed(2)}`}
            </td>
            <td className="number quiet-number">
              {row.count} of {row.total}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Whisker({ row, chance }: { row: Interval; chance: number | null }) {
  const at = (share: number) => `${share * 100}%`;
  return (
    <svg className="whisker" aria-hidden="true">
      {TICKS.map((tick) => (
        <line key={tick} className="tick" x1={at(tick)} x2={at(tick)} y1="0" y2="100%" />
      ))}
      {chance !== null && <line className="chance" x1={at(chance)} x2={at(chance)} y1="0" y2="100%" />}
      {row.low !== null && row.high !== null && (
        <>
          <line className="reach" x1={at(row.low)} x2={at(row.high)} y1="50%" y2="50%" />
          <line className="end" x1={at(row.low)} x2={at(row.low)} y1="32%" y2="68%" />
          <line className="end" x1={at(row.high)} x2={at(row.high)} y1="32%" y2="68%" />
        </>
      )}
      {row.share !== null && <circle className="dot" cx={at(row.share)} cy="50%" r="5.5" />}
    </svg>
  );
}
