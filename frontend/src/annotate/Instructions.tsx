import { Button } from "../controls/Button";
import type { StudyShown } from "./documents";
import { Prose } from "./Prose";
import { useKeys } from "./useKeys";
import { WorkedExample } from "./WorkedExample";

type Props = {
  study: StudyShown;
  busy: boolean;
  /** None in a preview, where nothing can begin. */
  onStart: (() => void) | null;
};

/** What to do, and one task done. */
export function Instructions({ study, busy, onStart }: Props) {
  useKeys((key) => {
    if (key !== "Enter" || busy || onStart === null) return false;
    onStart();
    return true;
  });
  return (
    <section className="reading">
      <h1 tabIndex={-1}>How it works</h1>
      <Prose>{study.instructions}</Prose>
      {study.example && <WorkedExample example={study.example} options={study.options} />}
      {onStart === null ? (
        <p className="lead">This is a preview. Accept the task to begin.</p>
      ) : (
        <div className="forward">
          <Button kind="strong" size="large" disabled={busy} onClick={onStart}>
            {study.practice > 0 ? "Try it" : "Begin"}
          </Button>
          {study.practice > 0 && (
            <p className="key-hint">
              {study.practice === 1 ? "One try" : `${study.practice} tries`} first, which do not count.
            </p>
          )}
        </div>
      )}
    </section>
  );
}
