import { CheckField } from "../../controls/fields";
import type { MethodEntry, ModelEntry } from "../../service/catalog";
import { viewOf } from "../../views/registry";
import { counted } from "../wording";
import type { StepProps } from "./QuestionStep";

type Props = StepProps & { models: ModelEntry[]; methods: MethodEntry[] };

/** What a method finds, by the picture that draws it. A picture unknown here is drawn as words with their scores. */
const KINDS = [
  { title: "Methods that find phrases", finds: "phrases" },
  { title: "Methods that score words", finds: "words" },
];

/** Which models are explained, and by which methods. */
export function ExplanationsStep({ design, onChange, models, methods }: Props) {
  const first = models.find((model) => model.name === design.models[0]);
  const suits = (name: string, chosen: string[]) =>
    methods.some((method) => method.name === name && chosen.every((model) => method.models.includes(model)));
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
            onChange={(on) => {
              const chosen = toggled(design.models, model.name, on);
              onChange({
                ...design,
                models: chosen,
                methods: design.methods.filter((name) => suits(name, chosen)),
              });
            }}
          />
        ))}
      </fieldset>
      {KINDS.map(({ title, finds }) => (
        <fieldset key={title} className="group columns">
          <legend>{title}</legend>
          {methods
            .filter((method) => viewOf(method).finds === finds)
            .map((method) => (
              <CheckField
                key={method.name}
                label={method.title}
                hint={
                  suits(method.name, design.models)
                    ? method.shows
                    : "It cannot explain every model you have chosen."
                }
                checked={design.methods.includes(method.name)}
                disabled={
                  !suits(method.name, design.models) ||
                  (design.protocol === "preference" &&
                    design.methods.length >= 2 &&
                    !design.methods.includes(method.name))
                }
                onChange={(on) => onChange({ ...design, methods: toggled(design.methods, method.name, on) })}
              />
            ))}
        </fieldset>
      ))}
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
