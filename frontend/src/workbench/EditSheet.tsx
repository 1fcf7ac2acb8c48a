import { type FormEvent, useState } from "react";

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
        <button type="button" className="chip-button" onClick={() => onEdit({ kind: "drop" })}>
          Dropped
        </button>
        <button type="button" className="chip-button" onClick={() => onEdit({ kind: "mask" })}>
          Masked
        </button>
      </div>
      <form className="edit-replace" onSubmit={replace}>
        <label className="unseen" htmlFor="replacement">
          Replaced by
        </label>
        <input
          id="replacement"
          dir="auto"
          value={by}
          maxLength={200}
          placeholder="another word"
          onChange={(event) => setBy(event.target.value)}
        />
        <button type="submit" className="chip-button" disabled={by.trim() === ""}>
          Replaced
        </button>
      </form>
    </>
  );
}
