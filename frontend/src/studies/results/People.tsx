import { CheckBox } from "../../controls/inputs";
import { usePeople } from "../api";
import type { Actions } from "../Lifecycle";
import { Problem } from "../Problem";
import { counted, seconds } from "../wording";
import { Doubts, Refused } from "./Doubts";
import { Scroll } from "./Scroll";

/** Everybody who came, by number, what is doubted about them, and a switch to leave their answers out. */
export function People({
  study,
  simulated,
  actions,
}: {
  study: string;
  simulated: boolean;
  actions: Actions;
}) {
  const { data, error } = usePeople(study);
  const people = (data?.people ?? []).filter((person) => person.simulated === simulated);
  const doubted = people.filter((person) => person.doubts.length > 0).length;
  // A rehearsal turns nobody away.
  const refused = simulated ? [] : (data?.refused ?? []);
  return (
    <details className="card">
      <summary>
        {counted(people.length, "person", "people")}
        {doubted > 0 && `, ${doubted} doubtful`}
        {refused.length > 0 && ", some not let in"}
      </summary>
      <Problem error={error ?? actions.leaveOut.error} />
      <Scroll name="Everybody who came">
        <table className="tests people">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">At</th>
              <th scope="col" className="number">
                Answered
              </th>
              <th scope="col" className="number">
                Median time
              </th>
              <th scope="col" className="number">
                Checks failed
              </th>
              <th scope="col">Left out</th>
              {doubted > 0 && <th scope="col">Doubtful</th>}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.person}>
                <th scope="row">{person.person}</th>
                <td>{person.stage}</td>
                <td className="number">
                  {person.answered} of {person.tasks}
                </td>
                <td className="number">{seconds(person.median_milliseconds)}</td>
                <td className="number">
                  {person.attention_failed} of {person.attention_checks}
                </td>
                <td>
                  <label className="left-out">
                    <CheckBox
                      checked={person.left_out.length > 0}
                      disabled={
                        actions.leaveOut.isPending || (person.left_out.length > 0 && !byHand(person.left_out))
                      }
                      onChange={(excluded) =>
                        actions.leaveOut.mutate({ person: person.person, simulated, excluded })
                      }
                    />
                    <span>{person.left_out.join(", ") || "no"}</span>
                  </label>
                </td>
                {doubted > 0 && (
                  <td className="doubts">
                    <Doubts doubts={person.doubts} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Refused doubts={refused} />
    </details>
  );
}

const byHand = (reasons: string[]) => reasons.some((reason) => /owner|excluded/.test(reason));
