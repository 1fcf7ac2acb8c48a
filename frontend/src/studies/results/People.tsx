import { usePeople } from "../api";
import type { Actions } from "../Lifecycle";
import { Problem } from "../Problem";
import { counted, seconds } from "../wording";
import { Scroll } from "./Scroll";

/** Everybody who came, by number, and a switch to leave their answers out. */
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
  return (
    <details className="card">
      <summary>{counted(people.length, "person", "people")}</summary>
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
                    <input
                      type="checkbox"
                      checked={person.left_out.length > 0}
                      disabled={
                        actions.leaveOut.isPending || (person.left_out.length > 0 && !byHand(person.left_out))
                      }
                      onChange={(event) =>
                        actions.leaveOut.mutate({
                          person: person.person,
                          simulated,
                          excluded: event.target.checked,
                        })
                      }
                    />
                    <span>{person.left_out.join(", ") || "no"}</span>
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}

const byHand = (reasons: string[]) => reasons.some((reason) => /owner|excluded/.test(reason));
