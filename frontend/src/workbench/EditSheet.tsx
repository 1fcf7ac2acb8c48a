import { type FormEvent, useState } from "react";
import { Button } from "../controls/Button";
import { TextInput } from "../controls/inputs";

type Chosen = { kind: "drop" | "mask" } | { kind: "replace"; by: string };

/** What can be done to a word. */
export function EditSheet({ word, onEdit }: { word: string; onEdit(edit: Chosen): void }) {
  const [by, setBy] = useState("");
  const replace = (event: FormEvent) => {
    event.preventDefault();
    if (by.trim() !== "") onEdit({ kind: "replace", by: by.trim() });
  };
  return (
    <>
      <h3>
        What if “<bdi>{word.slice(0, 40)}</bdi>” were…
      </h3>
      <div className="edit-ways">
        <Button onClick={() => onEdit({ kind: "drop" })}>Dropped</Button>
        <Button onClick={() => onEdit({ kind: "mask" })}>Masked</Button>
      </div>
      <form className="edit-replace" onSubmit={replace}>
        <label className="unseen" htmlFor="replacement">
          Replaced by
        </label>
        <TextInput
          id="replacement"
          dir="auto"
          value={by}
          maxLength={200}
          placeholder="another word"
          onChange={setBy}
        />
        <Button type="submit" disabled={by.trim() === ""}>
          Replaced
        </Button>
      </form>
    </>
  );
}
