import type { Doubt } from "../../client";
import { counted, day } from "../wording";

/** What an owner can do about it; the server says what happened. */
const ABOUT_SOMEBODY: Record<string, string> = {
  "another-session": "They were not let in again. Ask them at Prolific which submission is theirs.",
  "another-assignment":
    "They were let in. Compare the assignments at MTurk; leave the answers out if in doubt.",
  "by-name": "They were let in. Ask the person whether it was them; leave the answers out if not.",
  "no-proof": "They were not let in. Send the person their own link again.",
};
const IN_DOUBT = "Ask the person; leave the answers out if in doubt.";

const ABOUT_NOBODY: Record<string, string> = {
  "bad-proof":
    "If somebody complains, give them a new link: theirs was changed, has ended, or is for another study.",
  "no-proof": "If somebody complains, make a link for them, or turn on secured URL parameters at Prolific.",
  "too-many":
    "If they are a class behind one address, let them come in turns; whoever runs the server can allow more.",
};
const IF_ASKED = "Nothing is to be done unless somebody complains.";

/** Why one person may not be who they say. */
export const Doubts = ({ doubts }: { doubts: Doubt[] }) =>
  doubts.map((doubt) => (
    <p key={doubt.reason}>
      {happened(doubt)} <span className="hint">{ABOUT_SOMEBODY[doubt.reason] ?? IN_DOUBT}</span>
    </p>
  ));

/** Who was not let in: they have no number, so they stand below the people. */
export function Refused({ doubts }: { doubts: Doubt[] }) {
  if (doubts.length === 0) return null;
  return (
    <section className="doubts" aria-labelledby="refused">
      <h3 id="refused">Not let in</h3>
      {doubts.map((doubt) => (
        <p key={doubt.reason}>
          {happened(doubt)} <span className="hint">{ABOUT_NOBODY[doubt.reason] ?? IF_ASKED}</span>
        </p>
      ))}
    </section>
  );
}

const happened = ({ says, times, last }: Doubt): string =>
  `${says.charAt(0).toUpperCase()}${says.slice(1)}: ${counted(times, "time")}, last on ${day(last)}.`;
