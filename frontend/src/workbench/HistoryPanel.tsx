import { Button } from "../controls/Button";
import { Panel } from "../controls/Panel";
import { fromAddress } from "../state/address";
import { forgetAll, useHistory } from "../state/history";
import type { Question } from "../state/question";
import { percent } from "./percent";

/** What was explained before in this browser. */
export function HistoryPanel({ onOpen }: { onOpen(question: Question): void }) {
  const entries = useHistory();
  return (
    <Panel label="History" icon="history" wide>
      <h3>Explained before</h3>
      {entries.length === 0 ? (
        <p className="hint">Nothing yet.</p>
      ) : (
        <>
          <ol className="history">
            {entries.map((entry) => (
              <li key={entry.time + entry.text.slice(0, 50)}>
                <Button kind="bare" onClick={() => onOpen(fromAddress(entry.address))}>
                  <bdi className="history-text">{entry.text}</bdi>
                  <span className="hint">
                    {entry.label} {percent(entry.probability)} · {entry.model} ·{" "}
                    <time dateTime={entry.time}>{new Date(entry.time).toLocaleString()}</time>
                  </span>
                </Button>
              </li>
            ))}
          </ol>
          <Button kind="quiet" onClick={forgetAll}>
            Forget all
          </Button>
          <p className="hint">Kept in this browser only.</p>
        </>
      )}
    </Panel>
  );
}
