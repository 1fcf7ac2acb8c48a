import { useEffect, useState } from "react";
import { Button, buttonLook } from "../controls/Button";
import type { Completion } from "./documents";
import { Prose } from "./Prose";

/** Seconds to read the thanks before the way back is taken. */
const PAUSE = 4;

/** Everything is saved; now the person gets what shows that they were here. */
export function Thanks({ text, completion }: { text: string; completion: Completion | null }) {
  return (
    <section className="reading thanks">
      <h1 tabIndex={-1}>All done.</h1>
      <Prose>{text}</Prose>
      {completion?.form ? (
        <SubmitForm {...completion.form} />
      ) : completion?.url ? (
        <Return url={completion.url} code={completion.code} />
      ) : (
        completion && <Code code={completion.code} />
      )}
    </section>
  );
}

function Code({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(code).then(() => setCopied(true));
  return (
    <div className="completion">
      <p>Your completion code</p>
      <output className="code">{code}</output>
      <Button size="large" onClick={copy}>
        {copied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}

function Return({ url, code }: { url: string; code: string }) {
  useEffect(() => {
    const leave = setTimeout(() => window.location.assign(url), PAUSE * 1000);
    return () => clearTimeout(leave);
  }, [url]);
  return (
    <>
      <div className="forward">
        <a className={buttonLook({ kind: "strong", size: "large" })} href={url}>
          Return and complete
        </a>
        <p className="key-hint">You are taken there in a moment.</p>
      </div>
      <Code code={code} />
    </>
  );
}

function SubmitForm({ action, fields }: { action: string; fields: Record<string, string> }) {
  return (
    <form method="post" action={action} className="forward">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" kind="strong" size="large">
        Submit
      </Button>
      <p className="key-hint">One last press sends it to Mechanical Turk.</p>
    </form>
  );
}
