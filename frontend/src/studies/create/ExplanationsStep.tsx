import type { MethodEntry, ModelEntry } from "../../service/catalog";
import { counted } from "../wording";
import { CheckField } from "./fields";
import type { StepProps } from "./QuestionStep";

type Props = StepProps & { models: ModelEntry[]; methods: MethodEntry[] };

/** Which models are explained, and by which methods. */
export function ExplanationsStep({ design, onChange, models, methods }: Props) {
  const first = models.find((model) => model.name === design.models[0]);
  const conditions = design.models.length * design.methods.length;
  return (
    <>
      <fieldset className="group">
        <legend>Models</legend>
        {models.map((model) => (
          <CheckField
            key={model.name}
            label={model.title}
            hint={model.description}
            checked={design.models.includes(model.name)}
            disabled={first !== undefined && !sameClasses(model, first)}
            onChange={(on) => onChange({ ...design, models: toggled(design.models, model.name, on) })}
          />
        ))}
      </fieldset>
      <fieldset className="group">
        <legend>{design.protocol === "preference" ? "The two methods to compare" : "Methods"}</legend>
        {methods.map((method) => (
          <CheckField
            key={method.name}
            label={method.title}
            hint={method.shows}
            checked={design.methods.includes(method.name)}
            disabled={
              design.protocol === "preference" &&
              design.methods.length >= 2 &&
              !design.methods.includes(method.name)
            }
            onChange={(on) => onChange({ ...design, methods: toggled(design.methods, method.name, on) })}
          />
        ))}
      </fieldset>
      {design.protocol === "preference" && design.methods.length === 2 && (
        <p className="hint">
          The question will be whether people prefer {design.methods[1]} to {design.methods[0]}.
        </p>
      )}
      {design.protocol === "coherence" && conditions > 0 && (
        <p className="hint">
          {counted(design.models.length, "model")} × {counted(design.methods.length, "method")} ={" "}
          {counted(conditions, "condition")}.
        </p>
      )}
    </>
  );
}

const toggled = (names: string[], name: string, on: boolean): string[] =>
  on ? [...names, name] : names.filter((other) => other !== name);

const sameClasses = (one: ModelEntry, other: ModelEntry): boolean =>
  (one.classes ?? []).join("\n") === (other.classes ?? []).join("\n");
