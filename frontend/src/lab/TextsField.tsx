import { CardField, NumberField, SelectField } from "../controls/fields";
import { Upload } from "../controls/Upload";
import type { Draft } from "./draft";

export type ChosenTexts = Pick<Draft, "dataset" | "texts">;

/** The tasks that there are sample sentences of. */
export const tasksOf = (models: readonly { examples: string | null }[]): string[] => [
  ...new Set(models.map(({ examples }) => examples).filter((task) => task !== null)),
];

/** Which texts a run is about, and how many of them. */
export function TextsField({
  tasks,
  chosen,
  onChange,
}: {
  tasks: readonly string[];
  chosen: ChosenTexts;
  onChange(part: Partial<ChosenTexts>): void;
}) {
  return (
    <section className="card" aria-labelledby="data">
      <h2 id="data">Texts</h2>
      <SourceField tasks={tasks} dataset={chosen.dataset} onChange={(dataset) => onChange({ dataset })} />
      <NumberField
        label="Texts to draw"
        hint="Drawn by the seed; all when empty."
        value={chosen.texts}
        least={1}
        most={20_000}
        optional
        onChange={(texts) => onChange({ texts })}
      />
    </section>
  );
}

/** Where texts come from. */
export function SourceField({
  tasks,
  dataset,
  onChange,
}: {
  tasks: readonly string[];
  dataset: Draft["dataset"];
  onChange(dataset: Draft["dataset"]): void;
}) {
  return (
    <>
      <CardField
        label="Where do the texts come from?"
        value={dataset.kind}
        onChange={(kind) =>
          onChange(
            kind === "samples"
              ? { kind, task: tasks[0] ?? "sentiment" }
              : { kind: "file", name: "", content: "" },
          )
        }
        cards={[
          { value: "samples", title: "Sample sentences", text: "Written for Espalier." },
          {
            value: "file",
            title: "A file",
            text: "TSV or CSV with a header line, or JSONL; a column “text”.",
          },
        ]}
      />
      {dataset.kind === "samples" ? (
        <SelectField
          label="Sentences about"
          value={dataset.task ?? ""}
          options={tasks.map((task) => ({ value: task, title: task }))}
          onChange={(task) => onChange({ kind: "samples", task })}
        />
      ) : (
        <Upload name={dataset.name} onRead={(name, content) => onChange({ kind: "file", name, content })} />
      )}
    </>
  );
}
