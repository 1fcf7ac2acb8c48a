import { CheckField, NumberField, TextField } from "../../controls/fields";
import type { Provider } from "../documents";
import type { StepProps } from "./QuestionStep";

const PROVIDERS: { value: Provider; label: string; hint: string }[] = [
  { value: "plain", label: "A link", hint: "For a class, a lab or friends. People give a name or a code." },
  {
    value: "prolific",
    label: "Prolific",
    hint: "People arrive with their id and go back with a completion code.",
  },
  {
    value: "mturk",
    label: "Mechanical Turk",
    hint: "As an ExternalQuestion, for accounts that exist already.",
  },
];

/** How many people, how much each, and where they come from. */
export function PeopleStep({ design, onChange }: StepProps) {
  const { recruiting } = design;
  const recruit = (change: Partial<typeof recruiting>) =>
    onChange({ ...design, recruiting: { ...recruiting, ...change } });
  return (
    <>
      <div className="row">
        <NumberField
          label="Votes for each text"
          hint="How many different people judge it."
          value={design.votes}
          least={1}
          most={100}
          onChange={(votes) => onChange({ ...design, votes })}
        />
        <NumberField
          label="Texts for each person"
          hint="At most."
          value={design.items_per_person}
          least={1}
          most={500}
          onChange={(items_per_person) => onChange({ ...design, items_per_person })}
        />
        <NumberField
          label="People in all"
          hint="Shares the texts out among them. Left empty, whoever comes gets the most."
          value={design.people ?? Number.NaN}
          least={1}
          most={10_000}
          optional
          onChange={(people) => onChange({ ...design, people: Number.isNaN(people) ? null : people })}
        />
        <NumberField
          label="Attention checks"
          hint="Easy ones, hidden among the tasks."
          value={design.attention_checks}
          least={0}
          most={10}
          onChange={(attention_checks) => onChange({ ...design, attention_checks })}
        />
      </div>
      <CheckField
        label="Practice first"
        hint="A few tasks with feedback that do not count."
        checked={design.practice === null}
        onChange={(on) => onChange({ ...design, practice: on ? null : [] })}
      />
      <fieldset className="group">
        <legend>People come from</legend>
        {PROVIDERS.map(({ value, label, hint }) => (
          <CheckField
            key={value}
            label={label}
            hint={hint}
            checked={recruiting.providers.includes(value)}
            disabled={recruiting.providers.length === 1 && recruiting.providers.includes(value)}
            onChange={(on) =>
              recruit({
                providers: on
                  ? [...recruiting.providers, value]
                  : recruiting.providers.filter((other) => other !== value),
              })
            }
          />
        ))}
        {recruiting.providers.includes("prolific") && (
          <TextField
            label="Prolific completion code"
            hint="Prolific shows it when you create the study there. It can be added later."
            value={recruiting.completion_code ?? ""}
            onChange={(code) => recruit({ completion_code: code.trim() || null })}
          />
        )}
      </fieldset>
      <details>
        <summary>Fine points</summary>
        <div className="row">
          <NumberField
            label="Shortest honest answer (ms)"
            hint="Faster ones are left out of the results."
            value={design.minimum_milliseconds}
            least={0}
            most={60_000}
            onChange={(minimum_milliseconds) => onChange({ ...design, minimum_milliseconds })}
          />
          <NumberField
            label="Give up on people after (minutes)"
            hint="Their open tasks then go to others."
            value={design.reclaim_minutes}
            least={1}
            most={10_080}
            onChange={(reclaim_minutes) => onChange({ ...design, reclaim_minutes })}
          />
        </div>
      </details>
    </>
  );
}
