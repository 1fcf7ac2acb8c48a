import { Prose } from "./Prose";
import { useKeys } from "./useKeys";
import { type Example, WorkedExample } from "./WorkedExample";

type Props = {
  text: string;
  example: Example | null;
  /** Practice tasks to come before the ones that count. */
  practice: number;
  busy: boolean;
  onStart: () => void;
};

/** What to do, and one task done. */
export function Instructions({ text, example, practice, busy, onStart }: Props) {
  useKeys((key) => {
    if (key !== "Enter" || busy) return false;
    onStart();
    return true;
  });
  return (
    <section className="reading">
      <h1 tabIndex={-1}>How it works</h1>
      <Prose>{text}</Prose>
      {example && <WorkedExample example={example} />}
      <div className="forward">
        <button type="button" className="go" disabled={busy} onClick={onStart}>
          {practice > 0 ? "Try it" : "Begin"}
        </button>
        {practice > 0 && (
          <p className="key-hint">
            {practice === 1 ? "One try" : `${practice} tries`} first, which do not count.
          </p>
        )}
      </div>
    </section>
  );
}
