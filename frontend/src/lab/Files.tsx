import { buttonLook } from "../controls/Button";

const FILES = [
  { file: "table.csv", label: "Table, CSV" },
  { file: "table.json", label: "Table, JSON" },
  { file: "rows.csv", label: "All rows, CSV" },
  { file: "rows.json", label: "All rows, JSON" },
];

/** The numbers of a run, as the server writes them. */
export function Files({ of }: { of: string }) {
  return FILES.map(({ file, label }) => (
    <a key={file} className={buttonLook()} href={`${of}/${file}`} download>
      {label}
    </a>
  ));
}
