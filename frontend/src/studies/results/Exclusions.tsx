import { CheckField } from "../../controls/fields";
import type { Exclusion, Rule } from "../documents";
import { counted } from "../wording";

type Props = { exclusions: Exclusion[]; keep: Rule[]; onKeep: (keep: Rule[]) => void };

/** What is not counted and why. Each rule can be lifted; nothing is ever deleted. */
export function Exclusions({ exclusions, keep, onKeep }: Props) {
  return (
    <fieldset className="group exclusions">
      <legend>Left out of the numbers</legend>
      {exclusions
        .filter(({ rule }) => rule !== "simulated")
        .map(({ rule, says, people, answers }) => (
          <CheckField
            key={rule}
            label={says}
            hint={`${counted(answers, "answer")} of ${counted(people, "person", "people")}`}
            checked={!keep.includes(rule)}
            onChange={(applied) => onKeep(applied ? keep.filter((other) => other !== rule) : [...keep, rule])}
          />
        ))}
    </fieldset>
  );
}
