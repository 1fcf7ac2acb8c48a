import { Field } from "../controls/fields";
import { Panel } from "../controls/Panel";
import type { Fill, PlayerKind, Reference, Scale } from "../explanation";
import type { Catalog } from "../service/catalog";
import { type Question, under } from "../state/question";
import type { Ask } from "../state/useQuestion";

const FILLS: Record<Fill, string> = {
  drawn: "Drawn, each given the words present",
  likeliest: "The likeliest word",
  "in-turn": "Drawn one after the other",
};

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
  const chosen = catalog?.references.find(({ name }) => name === question.reference);
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
      <Field label="In place of an absent word" hint={chosen?.description}>
        {(id) => (
          <select
            id={id}
            value={question.reference}
            onChange={(event) => {
              const { reference, draws, fill } = under(question, event.target.value as Reference);
              onAsk({ reference, draws, fill });
            }}
          >
            {catalog?.references.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      {chosen?.filler && (
        <Field label="How words are filled in" hint={`By ${chosen.filler}, a masked language model.`}>
          {(id) => (
            <select
              id={id}
              value={question.fill ?? ""}
              onChange={(event) => onAsk({ fill: (event.target.value || null) as Fill | null, draws: null })}
            >
              <option value="">each method's own</option>
              {Object.entries(FILLS).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {chosen && chosen.most_draws > 1 && question.fill !== "likeliest" && (
        <Field label="Draws" hint={`Texts for absent words, averaged; ${chosen.draws} when left out.`}>
          {(id) => (
            <input
              id={id}
              key={question.draws}
              type="number"
              min={1}
              max={chosen.most_draws}
              step={1}
              defaultValue={question.draws ?? ""}
              onBlur={({ target }) =>
                target.validity.valid && onAsk({ draws: target.value === "" ? null : Number(target.value) })
              }
              onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
            />
          )}
        </Field>
      )}
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
