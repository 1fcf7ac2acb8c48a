/** The few kinds of field the forms of a study are made of. */

import { type ReactNode, useId } from "react";

type Told = { label: string; hint?: ReactNode };

export function TextField({
  label,
  hint,
  value,
  onChange,
  rows = 1,
}: Told & { value: string; onChange: (value: string) => void; rows?: number }) {
  const id = useId();
  const described = hint ? `${id}-hint` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === 1 ? (
        <input
          id={id}
          type="text"
          value={value}
          aria-describedby={described}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <textarea
          id={id}
          rows={rows}
          value={value}
          aria-describedby={described}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {hint && (
        <p className="hint" id={described}>
          {hint}
        </p>
      )}
    </div>
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
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
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
          <input
            type="radio"
            name={name}
            value={card.value}
            checked={value === card.value}
            onChange={() => onChange(card.value)}
          />
          <span className="card-title">{card.title}</span>
          <span className="card-text">{card.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
