import type { Explanation } from "../../explanation";
import { agreement } from "./kendall";
import { tau } from "./tau";

interface Props {
  names: readonly string[];
  found: Record<string, Explanation>;
}

/** How far each two references put the words in the same order. */
export function Agreement({ names, found }: Props) {
  const there = names.filter((name) => found[name] !== undefined);
  if (there.length < 2) return null;
  return (
    <details className="agreement">
      <summary>How far the rankings of words agree (Kendall's τ)</summary>
      <div className="table-frame">
        <table>
          <thead>
            <tr>
              <td />
              {there.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {there.map((row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {there.map((column) => {
                  const [one, other] = [found[row], found[column]];
                  const value = one && other && row !== column ? agreement(one, other) : null;
                  return <td key={column}>{row === column ? "·" : tau(value)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
