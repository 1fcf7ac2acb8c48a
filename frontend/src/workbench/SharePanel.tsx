import { useRef, useState } from "react";
import { Button } from "../controls/Button";
import { Field } from "../controls/fields";
import { TextInput } from "../controls/inputs";
import { Panel } from "../controls/Panel";
import { fileName } from "../share/caption";
import { htmlPage } from "../share/html";
import { save } from "../share/save";
import { permalink } from "../state/address";
import type { Question } from "../state/question";
import { useExhibits } from "./exhibits";

/** What is shown, for others: a link, or files that need no server. */
export function SharePanel({ question }: { question: Question }) {
  const exhibits = useExhibits();
  const [said, setSaid] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const link = permalink(question, window.location.origin);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setSaid("Copied.");
    } catch {
      field.current?.select();
      setSaid("Press Ctrl+C to copy.");
    }
  };
  const page = () => {
    const shown = exhibits.all();
    const first = shown[0];
    if (!first) return setSaid("There is no picture yet.");
    const pieces = shown.map((exhibit) => ({ ...exhibit, svg: exhibit.draw({}) }));
    save(fileName({ ...first, viewTitle: "page" }, ".html"), htmlPage(pieces, link, new Date()), "text/html");
    setSaid("Saved.");
  };
  const data = () => {
    const shown = exhibits.all();
    const first = shown[0];
    if (!first) return setSaid("There is no picture yet.");
    const document_ = { link, explanations: shown.map(({ explanation }) => explanation) };
    save(
      fileName({ ...first, viewTitle: "data" }, ".json"),
      JSON.stringify(document_, null, 2),
      "application/json",
    );
    setSaid("Saved.");
  };

  return (
    <Panel label="Share" icon="share">
      <h3>Share what you see</h3>
      <Field label="Link to exactly this">
        {(id) => <TextInput id={id} ref={field} readOnly value={link} />}
      </Field>
      <div className="share-ways">
        <Button kind="strong" onClick={() => void copy()}>
          Copy link
        </Button>
        <Button onClick={page}>Save as one HTML file</Button>
        <Button onClick={data}>Save all data (JSON)</Button>
      </div>
      <p className="hint" role="status">
        {said || "The file opens without the server, with pictures, tables and data."}
      </p>
    </Panel>
  );
}
