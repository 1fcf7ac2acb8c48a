import { CheckField } from "../controls/fields";
import { toggled } from "./draft";

interface Entry {
  name: string;
  label: string;
  hint: string;
}

/** Some of many, each with a line that says what it is. Those that are not usual wait behind a word. */
export function Several({
  title,
  entries,
  chosen,
  onChange,
  first,
}: {
  title: string;
  entries: Entry[];
  chosen: string[];
  onChange(chosen: string[]): void;
  first?: readonly string[];
}) {
  const shown = first ? entries.filter(({ name }) => first.includes(name)) : entries;
  const others = first ? entries.filter(({ name }) => !first.includes(name)) : [];
  const boxes = (some: Entry[]) => (
    <div className="several">
      {some.map(({ name, label, hint }) => (
        <CheckField
          key={name}
          label={label}
          hint={hint}
          checked={chosen.includes(name)}
          onChange={(on) => onChange(toggled(chosen, name, on))}
        />
      ))}
    </div>
  );
  return (
    <fieldset className="card group">
      <legend className="unseen">{title}</legend>
      <h2>{title}</h2>
      {boxes(shown)}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more, with other operators</summary>
          {boxes(others)}
        </details>
      )}
    </fieldset>
  );
}
