import { Field } from "../controls/fields";
import { Panel } from "../controls/Panel";
import type { PlayerKind, Reference, Scale } from "../explanation";
import type { Catalog } from "../service/catalog";
import type { Question } from "../state/question";
import type { Ask } from "../state/useQuestion";

const PLAYER_KINDS: Record<string, string> = {
  words: "Words",
  tokens: "The model's own tokens",
  phrases: "Phrases of the parse tree",
  sentences: "Sentences",
  nested: "Level by level: sentences, phrases, words",
};

interface Props {
  catalog: Catalog | undefined;
  question: Question;
  onAsk: Ask;
}

/** What all views have in common: what is removed, what stands in for it, and what is measured. */
export function GameSettings({ catalog, question, onAsk }: Props) {
  return (
    <Panel label="Settings" icon="settings">
      <h3>For all views</h3>
      <Field label="Pieces that come and go">
        {(id) => (
          <select
            id={id}
            value={question.players ?? ""}
            onChange={(event) =>
              onAsk({
                players: (event.target.value || null) as PlayerKind | null,
                open: null,
                selected: null,
              })
            }
          >
            <option value="">Words, and of long texts level by level</option>
            {Object.entries(PLAYER_KINDS).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="In place of an absent word"
        hint={catalog?.references.find(({ name }) => name === question.reference)?.description}
      >
        {(id) => (
          <select
            id={id}
            value={question.reference}
            onChange={(event) => onAsk({ reference: event.target.value as Reference })}
          >
            {catalog?.references.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Values measured as"
        hint={
          catalog?.scales.find(({ name }) => name === question.scale)?.description ??
          "Each method's own: what its authors used."
        }
      >
        {(id) => (
          <select
            id={id}
            value={question.scale ?? ""}
            onChange={(event) => onAsk({ scale: (event.target.value || null) as Scale | null })}
          >
            <option value="">each method's own</option>
            {catalog?.scales.map(({ name }) => (
              <option key={name} value={name}>
                {name.replace("_", " ")}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Seed" hint="Fixes everything drawn at random: the same seed gives the same numbers.">
        {(id) => (
          <input
            id={id}
            type="number"
            min={0}
            max={2 ** 32 - 1}
            step={1}
            defaultValue={question.seed}
            onBlur={({ target }) => target.validity.valid && onAsk({ seed: Number(target.value) })}
            onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
          />
        )}
      </Field>
    </Panel>
  );
}
