import { type ChangeEvent, useState } from "react";
import { Field } from "./fields";

/** Bytes: a little less than what the service takes in one request. */
const LARGEST = 19_000_000;

interface Props {
  /** Of the file that was read last. */
  name: string;
  onRead: (name: string, content: string) => void;
  label?: string;
  accept?: string;
}

const TABLES = ".tsv,.csv,.jsonl,text/tab-separated-values,text/csv";

/** A file of texts from the reader's disk. */
export function Upload({ name, onRead, label = "File", accept = TABLES }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (!file) return;
    if (file.size > LARGEST) {
      setProblem(`“${file.name}” is too large: it has ${(file.size / 1e6).toFixed(0)} MB, possible are 19.`);
      return;
    }
    try {
      onRead(file.name, await file.text());
      setProblem(null);
    } catch {
      setProblem(`“${file.name}” cannot be read.`);
    }
  };
  return (
    <Field label={label} hint={problem ? <span className="problem">{problem}</span> : name}>
      {(id, described) => (
        <input id={id} type="file" accept={accept} aria-describedby={described} onChange={read} />
      )}
    </Field>
  );
}
