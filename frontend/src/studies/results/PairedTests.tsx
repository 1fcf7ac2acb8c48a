import type { PairedTest } from "../documents";
import { pValue, signed } from "../wording";
import { Scroll } from "./Scroll";

/** Every two conditions on the same texts. Holm's correction is for all tests of a family together. */
export function PairedTests({ tests }: { tests: PairedTest[] }) {
  return (
    <Scroll name="Paired tests">
      <table className="tests">
        <caption>
          Paired tests on the same texts: McNemar (exact, on majorities) and item bootstrap, two-sided; p
          after Holm’s correction for the number of comparisons
        </caption>
        <thead>
          <tr>
            <th scope="col">Compared</th>
            <th scope="col">Within</th>
            <th scope="col" className="number">
              Difference
            </th>
            <th scope="col" className="number">
              95% interval
            </th>
            <th scope="col" className="number">
              Only first : second
            </th>
            <th scope="col" className="number">
              McNemar p
            </th>
            <th scope="col" className="number">
              Bootstrap p
            </th>
          </tr>
        </thead>
        <tbody>
          {tests.map((test) => (
            <tr
              key={`${test.family} ${test.within} ${test.first} ${test.second}`}
              data-family={test.family}
              data-within={test.within}
              data-first={test.first}
              data-second={test.second}
              data-difference={test.difference ?? ""}
              data-mcnemar={test.mcnemar ?? ""}
              data-mcnemar-holm={test.mcnemar_holm ?? ""}
            >
              <th scope="row">
                {test.first} <span className="hint">and</span> {test.second}
              </th>
              <td>{test.within}</td>
              <td className="number strong">{signed(test.difference)}</td>
              <td className="number">
                {signed(test.low)} to {signed(test.high)}
              </td>
              <td className="number">
                {test.only_first} : {test.only_second} <span className="hint">of {test.items}</span>
              </td>
              <td className="number">{pValue(test.mcnemar_holm)}</td>
              <td className="number">{pValue(test.bootstrap_holm)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
