export type Saving =
  | { state: "idle" }
  | { state: "saving" }
  | { state: "saved" }
  | { state: "retrying"; attempt: number; reason: string };

/** How the last answer is doing. Said aloud only when it changes something for the person. */
export function SavingState({ saving }: { saving: Saving }) {
  return (
    <p className={`saving ${saving.state}`} role="status" data-saving={saving.state}>
      {saving.state === "saving" && "Saving…"}
      {saving.state === "saved" && "Saved"}
      {saving.state === "retrying" && `Could not save: trying again. Your answer is kept. (${saving.reason})`}
    </p>
  );
}
