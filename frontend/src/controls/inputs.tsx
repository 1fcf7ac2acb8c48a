/** What is filled in, without its label: fields put one beside it, and a picture's controls name themselves. */

import type { ComponentProps } from "react";
import type { Option } from "./Choice";

type Written<Element extends "input" | "textarea"> = Omit<
  ComponentProps<Element>,
  "value" | "onChange" | "onFocus" | "onKeyDown" | "type"
> & { value: string; onChange?: (value: string) => void };

/** A line of text. One that can only be read is there to be copied, so all of it is chosen with the focus. */
export function TextInput({ onChange, readOnly = false, ...rest }: Written<"input">) {
  return (
    <input
      type="text"
      readOnly={readOnly}
      onChange={(event) => onChange?.(event.target.value)}
      onFocus={(event) => readOnly && event.target.select()}
      {...rest}
    />
  );
}

/** Several lines of text. Enter begins another one, so where it `submits`, Ctrl+Enter (⌘+Enter) sends the form. */
export function TextArea({
  onChange,
  submits = false,
  ...rest
}: Written<"textarea"> & { submits?: boolean }) {
  return (
    <textarea
      onChange={(event) => onChange?.(event.target.value)}
      onKeyDown={(event) => {
        if (!submits || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      {...rest}
    />
  );
}

interface Settled {
  id: string;
  value: number | null;
  least?: number | undefined;
  most?: number | undefined;
  step?: number | "any";
  /** A possible number, or none once the field is empty. */
  onSettle(value: number | null): void;
}

/** A number that counts once Enter is pressed or the field is left: its first digits are not meant yet. */
export function NumberInput({ id, value, least, most, step = 1, onSettle }: Settled) {
  return (
    <input
      id={id}
      // Another number from elsewhere takes the place of what was written.
      key={value}
      type="number"
      min={least}
      max={most}
      step={step}
      defaultValue={value ?? ""}
      onBlur={({ target }) => {
        const written = target.value === "" ? null : Number(target.value);
        if (target.validity.valid && written !== value) onSettle(written);
      }}
      onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
    />
  );
}

interface Ticked {
  id?: string;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}

export function CheckBox({ onChange, ...rest }: Ticked) {
  return <input type="checkbox" onChange={(event) => onChange(event.target.checked)} {...rest} />;
}

interface One {
  /** The same for all of which one is chosen. */
  name: string;
  value: string;
  checked: boolean;
  onChoose(): void;
}

export function Radio({ onChoose, ...rest }: One) {
  return <input type="radio" onChange={onChoose} {...rest} />;
}

interface Slid {
  label: string;
  least: number;
  most: number;
  value: number;
  /** The value in words, where the number alone says too little. */
  said?: string;
  onChange(value: number): void;
}

export function Slider({ label, least, most, value, said, onChange }: Slid) {
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={said}
      min={least}
      max={most}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    />
  );
}

export type Choosing = Omit<ComponentProps<"select">, "value" | "onChange" | "children"> & {
  value: string;
  options: readonly Pick<Option, "value" | "title">[];
  onChange: (value: string) => void;
};

/** One of several, by the browser's own list: among other fields, or where titles say enough. */
export function Select({ options, onChange, ...rest }: Choosing) {
  return (
    <select onChange={(event) => onChange(event.target.value)} {...rest}>
      {options.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}
