import { Link } from "@tanstack/react-router";
import { useCatalog } from "../../service/catalog";
import { Scroll } from "../../studies/results/Scroll";
import { number } from "../wording";
import { toWorkbench } from "../workbench";

export interface TextBehind {
  text: string;
  /** Leads to the text in the workbench. */
  value: number;
  /** What stands beside it, one for each further column. */
  beside: readonly string[];
}

/** The single texts behind a number, each with the way to the workbench. */
export function TextsBehind({
  name,
  model,
  method,
  columns,
  texts,
}: {
  name: string;
  model: string;
  /** That the texts are explained with. */
  method: string;
  /** The value’s, then the further ones. */
  columns: readonly string[];
  texts: readonly TextBehind[];
}) {
  const { data: catalog } = useCatalog();
  const asked = { model, method, reference: "" };
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>
        {name} ({texts.length})
      </summary>
      <Scroll name={name}>
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Text</th>
              {columns.map((column) => (
                <th key={column} scope="col" className="number">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts.map(({ text, value, beside }) => (
              <tr key={`${text} ${beside.join(" ")}`}>
                <th scope="row" className="sentence">
                  <bdi>{text}</bdi>
                </th>
                <td className="number">
                  <Link
                    to="/"
                    search={toWorkbench(text, asked, catalog) as never}
                    aria-label={`${number(value, 2)}: explain with ${method} on ${model}`}
                  >
                    {number(value, 2)}
                  </Link>
                </td>
                {beside.map((shown, index) => (
                  <td key={columns[index + 1]} className="number">
                    {shown}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
