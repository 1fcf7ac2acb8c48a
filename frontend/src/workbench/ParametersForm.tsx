import { Button } from "../controls/Button";
import { Field } from "../controls/fields";
import { CheckBox, NumberInput, Select } from "../controls/inputs";
import { type MethodEntry, type PropertySchema, settingsOf } from "../service/catalog";
import type { Settings } from "../state/question";

interface Props {
  method: MethodEntry;
  settings: Settings;
  onChange(settings: Settings): void;
}

/** A form for a method's own settings, made from what the server says of them. */
export function ParametersForm({ method, settings, onChange }: Props) {
  // The seed is one for all views, and phrases are picked in the graph itself.
  const fields = Object.entries(settingsOf(method)).filter(
    ([name, schema]) => name !== "seed" && kindOf(schema) !== null,
  );
  if (fields.length === 0) return <p className="hint">{method.title} has no settings of its own.</p>;
  const set = (name: string, value: unknown) => onChange({ ...settings, [name]: value });
  return (
    <>
      <h3>{method.title}</h3>
      {fields.map(([name, schema]) => (
        <Field key={name} label={readable(name)} hint={schema.description}>
          {(id) => (
            <Control
              id={id}
              schema={schema}
              value={settings[name] ?? schema.default}
              onChange={(value) => set(name, value)}
            />
          )}
        </Field>
      ))}
      <Button kind="quiet" onClick={() => onChange({})}>
        Back to the usual settings
      </Button>
    </>
  );
}

type Kind = "switch" | "choice" | "number";

/** A setting may also be nothing at all; what it is otherwise decides its form. */
function kindOf(schema: PropertySchema): Kind | null {
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "integer" || schema.type === "number") return "number";
  const some = schema.anyOf?.find(({ type }) => type !== "null");
  return some ? kindOf(some) : null;
}

interface ControlProps {
  id: string;
  schema: PropertySchema;
  value: unknown;
  onChange(value: unknown): void;
}

function Control({ id, schema, value, onChange }: ControlProps) {
  const inner = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  switch (kindOf(schema)) {
    case "switch":
      return <CheckBox id={id} checked={value === true} onChange={onChange} />;
    case "choice":
      return (
        <Select
          id={id}
          value={String(value)}
          options={(inner.enum ?? []).map((option) => ({ value: String(option), title: String(option) }))}
          onChange={onChange}
        />
      );
    default:
      return (
        <NumberInput
          id={id}
          value={typeof value === "number" ? value : null}
          least={inner.minimum}
          most={inner.maximum}
          step={inner.type === "integer" ? 1 : "any"}
          onSettle={(settled) => settled !== null && onChange(settled)}
        />
      );
  }
}

function readable(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
