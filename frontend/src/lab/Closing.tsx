/** How every form of the Lab ends: seed and title, then the price and the button. */
import type { ReactNode } from "react";
import { Button } from "../controls/Button";
import { NumberField, TextField } from "../controls/fields";
import { Problem } from "../studies/Problem";

interface Named {
  seed: number;
  title: string;
}

export function SeedAndTitle({
  chosen,
  hint,
  onChange,
}: {
  chosen: Named;
  /** What a title is made from when nobody writes one. */
  hint: string;
  onChange(part: Partial<Named>): void;
}) {
  return (
    <>
      <NumberField
        label="Seed"
        hint="The same seed gives the same numbers."
        value={chosen.seed}
        least={0}
        most={4_294_967_295}
        onChange={(seed) => onChange({ seed })}
      />
      <TextField
        label="Title"
        hint={hint}
        maxLength={200}
        value={chosen.title}
        onChange={(title) => onChange({ title })}
      />
    </>
  );
}

export function Price({
  missing,
  refused,
  busy,
  button,
  children,
}: {
  /** What still has to be filled in; null when nothing is. */
  missing: string | null;
  /** Why it cannot be begun. */
  refused: unknown;
  busy: boolean;
  button: string;
  children: ReactNode;
}) {
  return (
    <section className="card cost" aria-labelledby="cost">
      <h2 id="cost">What it will cost</h2>
      {missing ? <p className="hint">{missing}</p> : children}
      <Problem error={missing ? null : refused} />
      <Button type="submit" kind="strong" size="medium" disabled={missing !== null || busy}>
        {button}
      </Button>
    </section>
  );
}
