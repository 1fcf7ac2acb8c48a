import { useState } from "react";
import { Button } from "../controls/Button";
import { Select } from "../controls/inputs";
import "../annotate/annotate.css";
import { Screen } from "../annotate/Screen";
import { usePreview } from "./api";
import type { Preview, StudyDocument } from "./documents";
import { Problem } from "./Problem";
import { screens } from "./walk";

/** The very screens of an annotator, to be walked through. */
export function PreviewTab({ study }: { study: StudyDocument }) {
  const { data, error } = usePreview(study.id);
  if (study.status === "preparing")
    return <p className="hint">There is something to see once the texts are prepared.</p>;
  return (
    <>
      <Problem error={error} />
      {data && <Walk preview={data} rehearsal={study.links.rehearsal} />}
    </>
  );
}

const WIDTHS = { phone: "390px", wide: "100%" } as const;

export function Walk({ preview, rehearsal }: { preview: Preview; rehearsal: string }) {
  const [at, setAt] = useState(0);
  const [width, setWidth] = useState<keyof typeof WIDTHS>("wide");
  const all = screens(preview);
  const session = all[at];
  const go = (to: number) => setAt(Math.max(0, Math.min(all.length - 1, to)));
  const next = () => go(at + 1);
  if (!session) return null;
  return (
    <section aria-label="Preview" className="walk">
      <div className="walk-bar">
        <Button disabled={at === 0} onClick={() => go(at - 1)}>
          ← Before
        </Button>
        <label>
          <span className="unseen">Screen</span>
          <Select
            value={String(at)}
            options={all.map((screen, index) => ({ value: String(index), title: nameOf(screen) }))}
            onChange={(index) => go(Number(index))}
          />
        </label>
        <Button disabled={at === all.length - 1} onClick={next}>
          Next →
        </Button>
        <Button
          aria-pressed={width === "phone"}
          onClick={() => setWidth(width === "phone" ? "wide" : "phone")}
        >
          Phone
        </Button>
        <a href={rehearsal} target="_blank" rel="noreferrer">
          Take part in a rehearsal
        </a>
      </div>
      <div className="walk-window" style={{ inlineSize: WIDTHS[width] }}>
        <div className="annotate">
          <Screen
            embedded
            visit={{
              session,
              task: session.task,
              feedback: null,
              saving: { state: "idle" },
              busy: false,
              claimed: null,
              refusal: null,
            }}
            steps={{ enter: next, finish: next, answer: next, read: next, look: next, rename: next }}
          />
        </div>
      </div>
      <p className="hint">
        Nothing you press here is recorded. Letters and order are drawn anew for each person.
      </p>
    </section>
  );
}

function nameOf({
  stage,
  task,
}: {
  stage: string;
  task: { kind: string; number: number; of: number } | null;
}): string {
  if (task) return `${task.kind === "practice" ? "Practice" : "Task"} ${task.number} of ${task.of}`;
  return stage === "consent" ? "Consent" : stage === "instructions" ? "Instructions" : "Thanks";
}
