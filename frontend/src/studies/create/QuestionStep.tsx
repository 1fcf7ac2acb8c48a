import { CardField, CheckField, TextField } from "../../controls/fields";
import type { Protocol, StudyDesign } from "../documents";
import { PROTOCOL } from "../wording";
import { withProtocol } from "./draft";

export type StepProps = { design: StudyDesign; onChange: (design: StudyDesign) => void };

/** What is asked, and under which name. */
export function QuestionStep({ design, onChange }: StepProps) {
  return (
    <>
      <TextField
        label="Name"
        hint="People who take part see it."
        value={design.title}
        onChange={(title) => onChange({ ...design, title })}
      />
      <CardField
        label="What do you want to know?"
        value={design.protocol}
        onChange={(protocol) => onChange(withProtocol(design, protocol as Protocol))}
        cards={(["coherence", "preference"] as const).map((value) => ({
          value,
          title: PROTOCOL[value].title,
          text: (
            <>
              {PROTOCOL[value].asks}
              <span className="hint">{PROTOCOL[value].example}</span>
            </>
          ),
        }))}
      />
      {design.protocol === "coherence" ? (
        <CardField
          label="How are the explanations of a text shown?"
          value={design.screen}
          onChange={(screen) => onChange({ ...design, screen: screen as StudyDesign["screen"] })}
          cards={[
            {
              value: "together",
              title: "Together",
              text: "All on one screen, one line each, as in the HEDGE paper. Quick, but lines can influence each other.",
            },
            {
              value: "apart",
              title: "Apart",
              text: "Everybody sees one explanation of a text. Needs more people, and nothing hints at the answer.",
            },
          ]}
        />
      ) : (
        <CheckField
          label="Tell people what the model predicted"
          hint="Needed where a model has more than two classes."
          checked={design.show_prediction}
          onChange={(show_prediction) => onChange({ ...design, show_prediction })}
        />
      )}
    </>
  );
}
