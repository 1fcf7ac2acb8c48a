import { useState } from "react";
import { Button } from "../controls/Button";
import { TextField } from "../controls/fields";

/** The plain link: a name or a code that tells one person from another, so that nobody answers twice. */
export function Welcome({
  title,
  busy,
  onEnter,
}: {
  title: string;
  busy: boolean;
  onEnter: (name: string) => void;
}) {
  const [name, setName] = useState("");
  return (
    <form
      className="reading"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "" && !busy) onEnter(name.trim());
      }}
    >
      <h1 tabIndex={-1}>{title}</h1>
      <TextField
        label="Your name, or the code you were given"
        hint="Use the same one to go on from another device."
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <div className="forward">
        <Button type="submit" kind="strong" size="large" disabled={busy || name.trim() === ""}>
          Continue
        </Button>
      </div>
    </form>
  );
}
