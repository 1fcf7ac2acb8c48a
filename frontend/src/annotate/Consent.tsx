import { useState } from "react";
import { Button } from "../controls/Button";
import { Prose } from "./Prose";

type Props = { title: string; text: string; busy: boolean; onAgree: () => void };

/** Before anything else: what will be asked, what is kept, and that one may stop. */
export function Consent({ title, text, busy, onAgree }: Props) {
  const [declined, setDeclined] = useState(false);
  if (declined) {
    return (
      <section className="reading">
        <h1 tabIndex={-1}>Thank you for reading.</h1>
        <p>You have not taken part, and no answer of yours was recorded. You can close this page.</p>
        <div className="forward">
          <Button size="large" onClick={() => setDeclined(false)}>
            Back
          </Button>
        </div>
      </section>
    );
  }
  return (
    <section className="reading">
      <h1 tabIndex={-1}>{title}</h1>
      <Prose>{text}</Prose>
      <div className="forward">
        <Button kind="strong" size="large" disabled={busy} onClick={onAgree}>
          I agree and take part
        </Button>
        <Button size="large" disabled={busy} onClick={() => setDeclined(true)}>
          I do not want to
        </Button>
      </div>
    </section>
  );
}
