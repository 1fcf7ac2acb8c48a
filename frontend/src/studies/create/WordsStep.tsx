import { TextField } from "../../controls/fields";
import type { Texts } from "../documents";
import type { StepProps } from "./QuestionStep";

export const TEXTS: { name: keyof Texts; label: string; hint: string }[] = [
  {
    name: "consent",
    label: "Consent",
    hint: "Who asks, what is kept, how long it takes, that one may stop.",
  },
  { name: "instructions", label: "Instructions", hint: "The worked example is drawn below them." },
  { name: "thanks", label: "Thanks", hint: "The last page, above the completion code." },
];

/** What people read. Good texts are there already; own ones can be written here or later, until publishing. */
export function WordsStep({ design, onChange }: StepProps) {
  return (
    <>
      <p>
        Consent, instructions with a worked example, and thanks are written for you. You see them in the
        preview, and can change them until the study is published.
      </p>
      <details>
        <summary>Write your own now</summary>
        {TEXTS.map(({ name, label, hint }) => (
          <TextField
            key={name}
            label={label}
            hint={`${hint} Left empty, ours is used. An empty line starts a paragraph.`}
            rows={5}
            value={design.texts[name]}
            onChange={(text) => onChange({ ...design, texts: { ...design.texts, [name]: text } })}
          />
        ))}
      </details>
    </>
  );
}
