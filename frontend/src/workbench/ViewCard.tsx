import { useCallback, useMemo, useState } from "react";
import { Button, buttonLook } from "../controls/Button";
import { Choice } from "../controls/Choice";
import { Icon } from "../controls/Icon";
import { Panel } from "../controls/Panel";
import { Toggle } from "../controls/Toggle";
import { type Catalog, settingsOf } from "../service/catalog";
import type { Span } from "../spans";
import { moreDraws, morePrecise, whatItBuys, withoutShortCuts } from "../state/budgets";
import { methodsFor } from "../state/methods";
import type { Question, Subject } from "../state/question";
import type { Ask } from "../state/useQuestion";
import { speaks } from "../state/words";
import { drawnBy, type RegisteredView } from "../views/registry";
import { Difference } from "./Difference";
import { OpenPart } from "./levels/OpenPart";
import { ParametersForm } from "./ParametersForm";
import { SaveMenu } from "./SaveMenu";
import { type Face, SideBody } from "./SideBody";
import { useSide } from "./useSide";

interface Props {
  view: RegisteredView;
  question: Question;
  other: Subject | null;
  /** What the two sides of a comparison are called. */
  names: readonly [string, string] | null;
  catalog: Catalog | undefined;
  onAsk: Ask;
  /** Opens a part of a long text. */
  onOpen(span: Span): void;
}

/** One view: its method, its picture, what to read from it, and everything behind it. */
export function ViewCard({ view, question, other, names, catalog, onAsk, onOpen }: Props) {
  // Without the catalog there is no question yet: it says which model is first, and what kind of model one is.
  const says = (subject: Subject | null) =>
    speaks(catalog?.models.find(({ name }) => name === subject?.model));
  const first = useSide(
    catalog && question.model !== "" ? question : null,
    view.name,
    says(question),
    catalog?.methods,
  );
  const second = useSide(catalog ? other : null, view.name, says(other), catalog?.methods);
  const [face, setFace] = useState<Face>("picture");
  const sides = [first, second].filter((side) => side !== null);
  const [one, two] = [first?.explanation, second?.explanation];
  // One scale for both sides of a comparison: the same colour is the same number.
  const domain = useMemo(
    () => Math.max(0, ...[one, two].map((each) => (each ? drawnBy(view, each).largest(each) : 0))),
    [view, one, two],
  );
  const { HowToRead } = one ? drawnBy(view, one) : view;
  const methods = catalog ? methodsFor(catalog, view.name, question.model) : [];
  const method = methods.find(({ name }) => name === question.methods[view.name]);
  const alone = question.only === view.name;
  const busy = sides.some(({ state }) => ["waiting", "queued", "running"].includes(state.phase));
  const schemas = method ? settingsOf(method) : {};
  // How much a level is worth, the server decides: what it decided stands in the explanation.
  const better = first && morePrecise(schemas, { ...one?.parameters, ...first.settings });
  const exact = first && withoutShortCuts(schemas, first.settings);

  const done = first?.state.phase === "succeeded" ? first.state.explanation : null;
  const draws = catalog && done && moreDraws(catalog.references, done);

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
          className={`${buttonLook({ kind: "quiet" })} method-button`}
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
        <Panel label={`How to read ${view.title}`} icon="help" iconOnly>
          <h3>How to read this</h3>
          <div className="prose">
            <HowToRead />
          </div>
        </Panel>
        {method && (
          <Panel label={`Settings of ${view.title}`} icon="settings" iconOnly>
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
        <SaveMenu view={view.name} places={other ? 2 : 1} />
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
          {sides.length === 0 && <div className="placeholder" aria-hidden="true" />}
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
      {face === "picture" && question.against?.reference !== undefined && one && two && (
        <Difference first={one} second={two} names={names ?? ["A", "B"]} />
      )}
      {one?.levels && <OpenPart explanation={one} onOpen={onOpen} />}
      {better && done && !done.reading.exact && (
        <p className="more-precise">
          <Button onClick={() => setParameters({ ...question.parameters[view.name], ...better })}>
            <Icon name="more" /> More precise
          </Button>
          <span className="hint">{whatItBuys(schemas)}</span>
        </p>
      )}
      {exact && done && !done.reading.exact && (
        <p className="more-precise">
          <Button onClick={() => setParameters({ ...question.parameters[view.name], ...exact })}>
            <Icon name="more" /> Exact form
          </Button>
          <span className="hint">about four times the evaluations, and nothing is forecast</span>
        </p>
      )}
      {draws && (
        <p className="more-precise">
          <Button onClick={() => onAsk({ draws })}>
            <Icon name="more" /> More draws
          </Button>
          <span className="hint">
            {draws} texts for absent words instead of {done?.draws}, in all views: about half the error that
            they add
          </span>
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
