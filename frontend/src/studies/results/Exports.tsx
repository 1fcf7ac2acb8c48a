import { useState } from "react";
import { buttonLook } from "../../controls/Button";
import { CheckField } from "../../controls/fields";
import { type Counting, countingQuery, exportAddress } from "../api";

const FILES = [
  { file: "rows.csv", label: "Raw rows, CSV", rows: true },
  { file: "rows.json", label: "Raw rows, JSON", rows: true },
  { file: "summary.csv", label: "Summary, CSV", rows: false },
  { file: "summary.json", label: "Summary, JSON", rows: false },
];

/** Everything to take along. Who people are at their provider only on request. */
export function Exports({ study, counting }: { study: string; counting: Counting }) {
  const [identities, setIdentities] = useState(false);
  // Raw rows leave nothing out, so they follow no rule.
  const query = (rows: boolean) => {
    const base = countingQuery(rows ? { ...counting, keep: [] } : counting);
    return rows && identities ? `${base}${base === "" ? "?" : "&"}identities=true` : base;
  };
  return (
    <section className="card" aria-label="Export">
      <h2>Export</h2>
      <div className="actions exports">
        {FILES.map(({ file, label, rows }) => (
          <a key={file} className={buttonLook()} href={exportAddress(study, file, query(rows))} download>
            {label}
          </a>
        ))}
      </div>
      <CheckField
        label="With the participants’ ids"
        hint="As the recruiting service gave them. Handle such files as personal data."
        checked={identities}
        onChange={setIdentities}
      />
    </section>
  );
}
