import { useState } from "react";
import { Button } from "../controls/Button";
import { CopyButton } from "../controls/CopyButton";
import { TextField } from "../controls/fields";
import type { Links, StudyDocument } from "./documents";
import type { Actions } from "./Lifecycle";
import { Problem } from "./Problem";

const WAYS: { name: keyof Links; title: string; says: string }[] = [
  {
    name: "plain",
    title: "Link",
    says: "For a class, a lab or friends. People give a name, or you add ?name=CODE for each of them.",
  },
  {
    name: "prolific",
    title: "Prolific",
    says: "Paste it as the study URL, and choose to record Prolific IDs with URL parameters. At the end people return with the completion code.",
  },
  {
    name: "mturk",
    title: "Mechanical Turk",
    says: "The ExternalURL of an ExternalQuestion. The preview records nothing; the last page submits the assignment.",
  },
];

/** The links that bring people, each with what to do with it. */
export function Recruiting({ study, actions }: { study: StudyDocument; actions: Actions }) {
  return (
    <div className="overview">
      {study.status !== "published" && (
        <p className="note">
          Whoever follows a link now learns that the study is not open. Publish it first.
        </p>
      )}
      {WAYS.map(({ name, title, says }) => {
        const link = study.links[name];
        return link === null ? null : (
          <section key={name} className="card way" aria-label={title}>
            <h2>{title}</h2>
            <p className="hint">{says}</p>
            <Address link={link} />
            {name === "prolific" && <CompletionCode study={study} actions={actions} />}
          </section>
        );
      })}
      <section className="card way" aria-label="Rehearsal">
        <h2>Rehearsal</h2>
        <p className="hint">For trying it yourself. Its answers are marked as simulated and kept apart.</p>
        <Address link={study.links.rehearsal} />
      </section>
    </div>
  );
}

function Address({ link }: { link: string }) {
  const whole = link.startsWith("/") ? window.location.origin + link : link;
  return (
    <div className="address">
      <code>{whole}</code>
      <CopyButton text={whole} />
    </div>
  );
}

function CompletionCode({ study, actions }: { study: StudyDocument; actions: Actions }) {
  const { recruiting } = study.design;
  const [code, setCode] = useState(recruiting.completion_code ?? "");
  return (
    <div className="code-editor">
      <TextField label="Completion code, as Prolific gave it" value={code} onChange={setCode} />
      <Button
        disabled={code.trim() === (recruiting.completion_code ?? "") || actions.change.isPending}
        onClick={() =>
          actions.change.mutate({ recruiting: { ...recruiting, completion_code: code.trim() || null } })
        }
      >
        Save
      </Button>
      <Problem error={actions.change.error} />
    </div>
  );
}
