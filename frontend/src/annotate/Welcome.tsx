import { useState } from "react";

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
      <label className="field">
        <span>Your name, or the code you were given</span>
        <input
          type="text"
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <p className="key-hint">Use the same one to go on from another device.</p>
      <div className="forward">
        <button type="submit" className="go" disabled={busy || name.trim() === ""}>
          Continue
        </button>
      </div>
    </form>
  );
}
