import { Field, SelectField } from "../controls/fields";
import { NumberInput } from "../controls/inputs";
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

const METHODS_OWN = { value: "", title: "each method's own" };

const titled = (titles: Record<string, string>) =>
  Object.entries(titles).map(([value, title]) => ({ value, title }));

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
      <SelectField
        label="Pieces that come and go"
        value={question.players ?? ""}
        options={[{ value: "", title: "Words, and of long texts level by level" }, ...titled(PLAYER_KINDS)]}
        onChange={(players) =>
          onAsk({ players: (players || null) as PlayerKind | null, open: null, selected: null })
        }
      />
      <SelectField
        label="In place of an absent word"
        hint={chosen?.description}
        value={question.reference}
        options={(catalog?.references ?? []).map(({ name }) => ({ value: name, title: name }))}
        onChange={(name) => {
          const { reference, draws, fill } = under(question, name as Reference);
          onAsk({ reference, draws, fill });
        }}
      />
      {chosen?.filler && (
        <SelectField
          label="How words are filled in"
          hint={`By ${chosen.filler}, a masked language model.`}
          value={question.fill ?? ""}
          options={[METHODS_OWN, ...titled(FILLS)]}
          onChange={(fill) => onAsk({ fill: (fill || null) as Fill | null, draws: null })}
        />
      )}
      {chosen && chosen.most_draws > 1 && question.fill !== "likeliest" && (
        <Field label="Draws" hint={`Texts for absent words, averaged; ${chosen.draws} when left out.`}>
          {(id) => (
            <NumberInput
              id={id}
              least={1}
              most={chosen.most_draws}
              value={question.draws}
              onSettle={(draws) => onAsk({ draws })}
            />
          )}
        </Field>
      )}
      <SelectField
        label="Values measured as"
        hint={
          catalog?.scales.find(({ name }) => name === question.scale)?.description ??
          "Each method's own: what its authors used."
        }
        value={question.scale ?? ""}
        options={[
          METHODS_OWN,
          ...(catalog?.scales ?? []).map(({ name }) => ({ value: name, title: name.replace("_", " ") })),
        ]}
        onChange={(scale) => onAsk({ scale: (scale || null) as Scale | null })}
      />
      <Field label="Seed" hint="Fixes everything drawn at random: the same seed gives the same numbers.">
        {(id) => (
          <NumberInput
            id={id}
            least={0}
            most={2 ** 32 - 1}
            value={question.seed}
            onSettle={(seed) => onAsk({ seed: seed ?? 0 })}
          />
        )}
      </Field>
    </Panel>
  );
}
