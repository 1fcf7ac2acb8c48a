import type { Table } from "../views/view";

/** The numbers behind a picture, all of them. */
export function DataTable({ caption, table }: { caption: string; table: Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="table-scroll" tabIndex={0} aria-label={caption}>
      <table className="data">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {table.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names, and their order is the table's
            <tr key={line}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the column is the name of a cell
                <td key={column} data-number={typeof cell === "number"}>
                  {typeof cell === "string" ? <bdi>{cell}</bdi> : short(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Four significant digits are enough to read; files have them all. */
function short(value: number | null): string {
  if (value === null) return "";
  if (Number.isInteger(value)) return String(value);
  return Number(value.toPrecision(4)).toString().replace("-", "−");
}
