/** Every combination of an interaction's words: which are there, what the interaction then brings, what they say in all. */

import { tint } from "../../colour";
import { exactly, type Numbers } from "../../marks";
import { cellsOf, type LevelReading } from "./levels";

export interface CellsProps {
  reading: LevelReading;
  names: readonly string[];
  domain: number;
  numbers: Numbers;
}

export function Cells({ reading, names, domain, numbers }: CellsProps) {
  const players = reading.term?.players ?? [];
  const amount = (value: number) => {
    const [light, dark] = [tint(value, domain, "light"), tint(value, domain, "dark")];
    return {
      background: `light-dark(${light.fill}, ${dark.fill})`,
      color: `light-dark(${light.ink}, ${dark.ink})`,
    };
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard.
    <section className="cells" tabIndex={0} aria-label="Every combination of the interaction's words">
      <table>
        <thead>
          <tr>
            {players.map((player) => (
              <th key={player} scope="col">
                {names[player]}
              </th>
            ))}
            <th scope="col">brings</th>
            <th scope="col">in all</th>
          </tr>
        </thead>
        <tbody>
          {cellsOf(reading).map(({ present, term, says }) => (
            <tr key={present.join()}>
              {present.map((there, place) => (
                <td key={players[place]} className={there ? "there" : "absent"}>
                  {there ? "there" : "–"}
                </td>
              ))}
              <td>
                <span style={amount(term)} data-term={exactly(term)}>
                  {numbers.signed(term)}
                </span>
              </td>
              <td>
                <span style={amount(says)} data-says={exactly(says)}>
                  {numbers.signed(says)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
