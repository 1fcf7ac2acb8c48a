import { useState } from "react";
import { Button } from "../../controls/Button";
import { NumberField } from "../../controls/fields";
import type { StudyDocument } from "../documents";
import type { Actions } from "../Lifecycle";
import { Problem } from "../Problem";
import { counted } from "../wording";

type Props = { study: StudyDocument; actions: Actions; onStarted: () => void };

/** Simulated people who answer by a word list, with mistakes: to see the whole study work before anybody is paid. */
export function Rehearse({ study, actions, onStarted }: Props) {
  const { design } = study;
  const enough = Math.max(design.votes, Math.ceil((design.items * design.votes) / design.items_per_person));
  const [people, setPeople] = useState(Math.min(500, enough));
  const [errors, setErrors] = useState(10);
  return (
    <section className="card rehearse" aria-label="Rehearsal">
      <h2>Rehearsal</h2>
      <p className="hint">
        Simulated people guess from the words they are shown, and are wrong now and then. Their answers are
        marked, and never mix with real ones.
      </p>
      <div className="row">
        <NumberField label="Simulated people" value={people} least={1} most={500} onChange={setPeople} />
        <NumberField label="Wrong on purpose (%)" value={errors} least={0} most={100} onChange={setErrors} />
      </div>
      <div className="actions">
        <Button
          size="medium"
          disabled={actions.rehearse.isPending || study.status === "preparing" || study.status === "failed"}
          onClick={() =>
            actions.rehearse.mutate({ people, error_rate: errors / 100 }, { onSuccess: onStarted })
          }
        >
          Rehearse
        </Button>
        {study.people.simulated > 0 && (
          <Button
            size="medium"
            disabled={actions.forgetRehearsal.isPending}
            onClick={() => actions.forgetRehearsal.mutate()}
          >
            Remove {counted(study.people.simulated, "simulated person", "simulated people")}
          </Button>
        )}
      </div>
      <Problem error={actions.rehearse.error ?? actions.forgetRehearsal.error} />
    </section>
  );
}
