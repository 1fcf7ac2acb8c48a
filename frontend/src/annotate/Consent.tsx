import { useState } from "react";
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
          <button type="button" className="quiet" onClick={() => setDeclined(false)}>
            Back
          </button>
        </div>
      </section>
    );
  }
  return (
    <section className="reading">
      <h1 tabIndex={-1}>{title}</h1>
      <Prose>{text}</Prose>
      <div className="forward">
        <button type="button" className="go" disabled={busy} onClick={onAgree}>
          I agree and take part
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={() => setDeclined(true)}>
          I do not want to
        </button>
      </div>
    </section>
  );
}
