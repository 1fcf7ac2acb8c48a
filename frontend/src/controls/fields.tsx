/** The kinds of field that all forms are made of. */

import { type ComponentProps, type ReactNode, useId } from "react";
import { CheckBox, type Choosing, Radio, Select, TextArea, TextInput } from "./inputs";

interface Told {
  label: string;
  hint?: ReactNode;
}

/** A label, whatever is filled in, and a line that says more about it. */
export function Field({
  label,
  hint,
  children,
}: Told & { children(id: string, described: string | undefined): ReactNode }) {
  const id = useId();
  const described = hint ? `${id}-hint` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, described)}
      {hint && (
        <p className="hint" id={described}>
          {hint}
        </p>
      )}
    </div>
  );
}

type Written = Told & { value: string; onChange: (value: string) => void; rows?: number } & Pick<
    ComponentProps<"input">,
    "maxLength" | "autoComplete" | "dir"
  >;

export function TextField({ label, hint, value, onChange, rows = 1, ...more }: Written) {
  return (
    <Field label={label} hint={hint}>
      {(id, described) => {
        const shared = { id, value, "aria-describedby": described, onChange, ...more };
        return rows === 1 ? <TextInput {...shared} /> : <TextArea rows={rows} {...shared} />;
      }}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  ...chosen
}: Told & Pick<Choosing, "value" | "options" | "onChange">) {
  return (
    <Field label={label} hint={hint}>
      {(id, described) => <Select id={id} aria-describedby={described} {...chosen} />}
    </Field>
  );
}

export function NumberField({
  label,
  hint,
  value,
  least,
  most,
  onChange,
  optional = false,
}: Told & {
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
  optional?: boolean;
}) {
  const id = useId();
  const empty = optional && Number.isNaN(value);
  const wrong = !empty && (!Number.isInteger(value) || value < least || value > most);
  return (
    <div className="field number-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={least}
        max={most}
        step={1}
        value={Number.isNaN(value) ? "" : value}
        aria-invalid={wrong}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <p className={wrong ? "hint problem" : "hint"} id={`${id}-hint`}>
        {wrong ? `Possible are ${least} to ${most}.` : hint}
      </p>
    </div>
  );
}

export function CheckField({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: Told & { checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean }) {
  return (
    <label className="check">
      <CheckBox checked={checked} disabled={disabled} onChange={onChange} />
      <span>
        <span className="check-label">{label}</span>
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}

export type CardChoice = { value: string; title: string; text: ReactNode };

/** One of a few things worth a sentence each. */
export function CardField({
  label,
  cards,
  value,
  onChange,
}: {
  label: string;
  cards: CardChoice[];
  value: string;
  onChange: (value: string) => void;
}) {
  const name = useId();
  return (
    <fieldset className="cards">
      <legend>{label}</legend>
      {cards.map((card) => (
        <label key={card.value} className="card-choice">
          <Radio
            name={name}
            value={card.value}
            checked={value === card.value}
            onChoose={() => onChange(card.value)}
          />
          <span className="card-title">{card.title}</span>
          <span className="card-text">{card.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
