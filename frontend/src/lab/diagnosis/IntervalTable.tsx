import { Scroll } from "../../studies/results/Scroll";
import { domainOf, NumberCell } from "../NumberCell";

export interface Cell {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number;
}

export interface Line {
  name: string;
  /** One for each column. */
  cells: readonly Cell[];
  texts: number;
}

/** Names with a number in each column, over the bar of its interval; each column has a scale of its own. */
export function IntervalTable({
  name,
  first,
  columns,
  lines,
  digits,
}: {
  name: string;
  /** What the names are of. */
  first: string;
  columns: readonly { title: string; said: string }[];
  lines: readonly Line[];
  digits: number;
}) {
  const domains = columns.map((_, index) => domainOf(lines.map(({ cells }) => cells[index])));
  return (
    <Scroll name={name}>
      <table className="measures">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map(({ title, said }) => (
              <th key={title} scope="col" className="number" title={said}>
                {title}
              </th>
            ))}
            <th scope="col" className="number">
              Texts
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name}</th>
              {columns.map(({ title }, index) => (
                <NumberCell
                  key={title}
                  {...(line.cells[index] ?? { value: null, low: null, high: null, n: 0 })}
                  digits={digits}
                  domain={domains[index] ?? [0, 1]}
                />
              ))}
              <td className="number">{line.texts}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
