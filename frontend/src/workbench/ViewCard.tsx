import { useCallback, useMemo, useState } from "react";
import { type Catalog, methodsFor, type PropertySchema, settingsOf } from "../service/catalog";
import { Icon } from "../shell/Icon";
import { morePrecise } from "../state/budgets";
import type { Question, Subject } from "../state/question";
import type { Ask } from "../state/useQuestion";
import type { View } from "../views/view";
import { Choice } from "./Choice";
import { Difference } from "./Difference";
import { Panel } from "./Panel";
import { ParametersForm } from "./ParametersForm";
import { SaveMenu } from "./SaveMenu";
import { type Face, SideBody } from "./SideBody";
import { Toggle } from "./Toggle";
import { type Side, useSide } from "./useSide";

interface Props {
  view: View;
  question: Question;
  other: Subject | null;
  /** What the two sides of a comparison are called. */
  names: readonly [string, string] | null;
  catalog: Catalog | undefined;
  onAsk: Ask;
}

/** One view: its method, its picture, what to read from it, and everything behind it. */
export function ViewCard({ view, question, other, names, catalog, onAsk }: Props) {
  const first = useSide(question, view.name);
  const second = useSide(other, view.name);
  const [face, setFace] = useState<Face>("picture");
  const sides = [first, second].filter((side) => side !== null);
  const [one, two] = [first?.explanation, second?.explanation];
  // One scale for both sides of a comparison: the same colour is the same number.
  const domain = useMemo(
    () => Math.max(one ? view.largest(one) : 0, two ? view.largest(two) : 0),
    [view, one, two],
  );
  const methods = catalog ? methodsFor(catalog, view.name, question.model) : [];
  const method = methods.find(({ name }) => name === question.methods[view.name]);
  const alone = question.only === view.name;
  const busy = sides.some(({ state }) => ["waiting", "queued", "running"].includes(state.phase));
  const better = first && method && finer(first, settingsOf(method));

  const { parameters } = question;
  const setParameters = useCallback(
    (chosen: Record<string, unknown>) => onAsk({ parameters: { ...parameters, [view.name]: chosen } }),
    [onAsk, parameters, view.name],
  );
  const changeParameters = useCallback(
    (change: Record<string, unknown>) => setParameters(changed(parameters[view.name], change)),
    [setParameters, parameters, view.name],
  );

  return (
    <section className="card view-card" aria-label={view.title} data-view={view.name} aria-busy={busy}>
      <div className="card-head">
        <h2>{view.title}</h2>
        <Choice
          label={`Method of ${view.title}`}
          className="method-button"
          value={question.methods[view.name]}
          options={methods.map(({ name, title, shows }) => ({ value: name, title, note: shows }))}
          onChoose={(name) =>
            onAsk({
              methods: { ...question.methods, [view.name]: name },
              parameters: { ...question.parameters, [view.name]: undefined },
            })
          }
        />
        <span className="spring" />
        <Panel label={`How to read ${view.title}`} icon="help" iconOnly className="quiet-button icon-button">
          <h3>How to read this</h3>
          <div className="prose">
            <view.HowToRead />
          </div>
        </Panel>
        {method && (
          <Panel
            label={`Settings of ${view.title}`}
            icon="settings"
            iconOnly
            className="quiet-button icon-button"
          >
            <ParametersForm method={method} settings={first?.settings ?? {}} onChange={setParameters} />
          </Panel>
        )}
        <Toggle
          label="Table"
          icon="table"
          pressed={face === "table"}
          onPress={(on) => setFace(on ? "table" : "picture")}
        />
        {other && (
          <Toggle
            label="Difference"
            icon="compare"
            pressed={face === "difference"}
            onPress={(on) => setFace(on ? "difference" : "picture")}
          />
        )}
        <SaveMenu view={view.name} two={other !== null} />
        <Toggle
          label={alone ? "Show all views" : `Show only ${view.title}`}
          icon={alone ? "tile" : "widen"}
          pressed={alone}
          onPress={(on) => onAsk({ only: on ? view.name : null })}
        />
      </div>
      {method && <p className="shows">{method.shows}.</p>}
      {face === "difference" && first?.explanation && second?.explanation ? (
        <Difference first={first.explanation} second={second.explanation} names={names ?? ["A", "B"]} />
      ) : (
        <div className="panes" data-two={other !== null}>
          {sides.map((side, place) => (
            <div className="pane" key={place === 0 ? "first" : "second"} data-side={place}>
              {names && <h3 className="pane-name">{names[place as 0 | 1]}</h3>}
              <SideBody
                {...{ side, view, face, domain, place, question, onAsk }}
                onParameters={changeParameters}
                method={catalog?.methods.find(({ name }) => name === side.request.method)}
              />
            </div>
          ))}
        </div>
      )}
      {better && first?.state.phase === "succeeded" && !first.state.explanation?.result.exact && (
        <p className="more-precise">
          <button
            type="button"
            className="chip-button"
            onClick={() => setParameters({ ...question.parameters[view.name], ...better })}
          >
            <Icon name="more" /> More precise
          </button>
          <span className="hint">four times the evaluations, about half the error</span>
        </p>
      )}
    </section>
  );
}

/** Parameters with some changed; what is set to nothing is left out, as if it had never been chosen. */
function changed(
  chosen: Record<string, unknown> = {},
  change: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...chosen, ...change }).filter(([, value]) => value !== null));
}

function finer(side: Side, properties: Record<string, PropertySchema>) {
  const maximum = (name: string) => {
    const schema = properties[name];
    return schema?.maximum ?? schema?.anyOf?.find((some) => some.maximum !== undefined)?.maximum ?? null;
  };
  return morePrecise(side.request.method ?? "", side.settings, { maximum });
}
