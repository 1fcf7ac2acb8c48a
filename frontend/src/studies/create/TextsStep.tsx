import { CardField, CheckField, NumberField, SelectField } from "../../controls/fields";
import { Upload } from "../../controls/Upload";
import type { DatasetReading, Filters } from "../documents";
import { Problem } from "../Problem";
import { counted } from "../wording";
import { left } from "./draft";
import { Lengths } from "./Lengths";
import type { StepProps } from "./QuestionStep";

type Props = StepProps & {
  /** What kinds of sample sentences there are. */
  kinds: string[];
  reading: DatasetReading | null;
  problem: unknown;
};

/** Which texts, and which of them. */
export function TextsStep({ design, onChange, kinds, reading, problem }: Props) {
  const { dataset, filters } = design;
  const filter = (change: Partial<Filters>) => onChange({ ...design, filters: { ...filters, ...change } });
  return (
    <>
      <CardField
        label="Where do the texts come from?"
        value={dataset.kind}
        onChange={(kind) =>
          onChange({
            ...design,
            dataset:
              kind === "samples"
                ? { kind, task: kinds[0] ?? "sentiment" }
                : { kind: "file", name: "", content: "" },
          })
        }
        cards={[
          { value: "samples", title: "Sample sentences", text: "Written for Espalier, each with its label." },
          {
            value: "file",
            title: "A file",
            text: "TSV or CSV with a header line, or JSONL; a column “text”, optionally “label”.",
          },
        ]}
      />
      {dataset.kind === "samples" ? (
        <SelectField
          label="Sentences about"
          value={dataset.task}
          options={kinds.map((kind) => ({ value: kind, title: kind }))}
          onChange={(task) => onChange({ ...design, dataset: { kind: "samples", task } })}
        />
      ) : (
        <Upload
          name={dataset.name}
          onRead={(name, content) => onChange({ ...design, dataset: { kind: "file", name, content } })}
        />
      )}
      <Problem error={problem} />
      {reading && (
        <section className="reading-of-data" aria-label="The texts">
          <p>
            <strong>{counted(reading.rows, "text")}</strong>
            {Object.keys(reading.labels).length > 0 &&
              `: ${Object.entries(reading.labels)
                .map(([label, texts]) => `${texts} ${label}`)
                .join(", ")}`}
          </p>
          <Lengths words={reading.words} least={filters.minimum_words} most={filters.maximum_words} />
          <ul className="first-texts">
            {reading.first.slice(0, 3).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <fieldset className="group">
        <legend>Keep only texts that</legend>
        <div className="row">
          <NumberField
            label="have at least (words)"
            value={filters.minimum_words}
            least={1}
            most={400}
            onChange={(minimum_words) => filter({ minimum_words })}
          />
          <NumberField
            label="and at most (words)"
            value={filters.maximum_words}
            least={1}
            most={400}
            onChange={(maximum_words) => filter({ maximum_words })}
          />
        </div>
        {reading && (
          <p className="hint" data-left={left(reading, filters.minimum_words, filters.maximum_words)}>
            {counted(left(reading, filters.minimum_words, filters.maximum_words), "text")} of {reading.rows}{" "}
            have such a length. What the other filters leave is counted while the study is prepared.
          </p>
        )}
        <CheckField
          label="every model classifies correctly"
          hint="Needs labels. Keeps out explanations of mistakes, which puzzle people."
          checked={filters.correctly_classified}
          onChange={(correctly_classified) => filter({ correctly_classified })}
        />
        <CheckField
          label="have an interaction"
          hint="At least one explanation joins two words or more."
          checked={filters.has_interaction}
          onChange={(has_interaction) => filter({ has_interaction })}
        />
        {design.protocol === "preference" && (
          <CheckField
            label="the two explanations judge differently"
            hint="The joined words speak for another class than the same words one by one."
            checked={filters.polarity_differs}
            onChange={(polarity_differs) => filter({ polarity_differs })}
          />
        )}
        <CheckField
          label="represent every length equally"
          hint="As many of each length as of any other."
          checked={filters.uniform_lengths}
          onChange={(uniform_lengths) => filter({ uniform_lengths })}
        />
      </fieldset>
      <NumberField
        label="Texts to ask about"
        hint="Drawn at random, from a recorded seed."
        value={design.items}
        least={1}
        most={2000}
        onChange={(items) => onChange({ ...design, items })}
      />
    </>
  );
}
