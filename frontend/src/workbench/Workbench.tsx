import { useCallback, useEffect, useMemo, useRef } from "react";
import { type Catalog, methodsFor, useCatalog } from "../service/catalog";
import { answered } from "../service/explanations";
import { usePrediction } from "../service/predictions";
import { problemOf } from "../service/problem";
import { toAddress } from "../state/address";
import { remember } from "../state/history";
import { otherSide, type Question, type Subject, USUAL_METHODS } from "../state/question";
import { SelectionContext, SelectionStore } from "../state/selection";
import { useQuestion } from "../state/useQuestion";
import { views } from "../views/registry";
import { sameSpan, type View } from "../views/view";
import { ComparePanel } from "./ComparePanel";
import { Exhibits, ExhibitsContext } from "./exhibits";
import { GameSettings } from "./GameSettings";
import { HistoryPanel } from "./HistoryPanel";
import { PredictionBar } from "./PredictionBar";
import { sentence } from "./ProblemNote";
import { SentenceCard } from "./SentenceCard";
import { SharePanel } from "./SharePanel";
import { sideNames } from "./sideNames";
import { ViewCard } from "./ViewCard";
import { ViewTabs } from "./ViewTabs";
import { WordStrip } from "./WordStrip";
import "./workbench.css";

/** The first page: a sentence, what a model says of it, and five pictures of why. */
export function Workbench() {
  const [question, ask] = useQuestion();
  const catalog = useCatalog();
  const prediction = usePrediction(question.text, question.model);
  const exhibits = useRef(new Exhibits()).current;
  const selection = useLinkedSelection(question, ask);

  const current = prediction.isPlaceholderData ? undefined : prediction.data;
  const shown = prediction.data;
  const target = question.target ?? shown?.label ?? "";
  useRemembered(question, current);

  const explain = useCallback(
    (text: string) => ask({ text, target: null, selected: null, against: null }),
    [ask],
  );
  const other = useOther(question, current?.label, catalog.data);
  const names = question.against && sideNames({ ...question, target }, question.against);
  // Only the server's own no ends the matter; while it cannot be reached, everything is asked again.
  const refused = answered(prediction.error) ? problemOf(prediction.error) : null;
  const visible = question.only ? views.filter(({ name }) => name === question.only) : views;

  const tiled = question.only === null && question.against === null;
  const card = (view: View) => (
    <ViewCard key={view.name} {...{ view, question, other, names }} catalog={catalog.data} onAsk={ask} />
  );

  return (
    <SelectionContext value={selection}>
      <ExhibitsContext value={exhibits}>
        <div className="workbench">
          <h1 className="unseen">Workbench: how a model puts its prediction together</h1>
          <SentenceCard
            catalog={catalog.data}
            text={question.text}
            model={question.model}
            onExplain={explain}
            onModel={(model) =>
              ask({ ...withModel(question, model, catalog.data), target: null, against: null })
            }
          >
            <GameSettings catalog={catalog.data} question={question} onAsk={ask} />
            <HistoryPanel onOpen={(old) => ask(old)} />
          </SentenceCard>
          {catalog.error && (
            <p className="card problem" role="alert">
              {sentence(problemOf(catalog.error).detail)}
            </p>
          )}
          {refused && (
            <p className="card problem" role="alert">
              {sentence(refused.detail)}
            </p>
          )}
          {shown && !refused && (
            <section className="card reading" aria-label="Prediction" aria-busy={!current}>
              <PredictionBar prediction={shown} target={target} onTarget={(name) => ask({ target: name })} />
              {current && (
                <WordStrip
                  key={question.text}
                  subject={question}
                  prediction={current}
                  target={target}
                  onExplain={explain}
                  onCompare={(text) => ask({ against: { text } })}
                />
              )}
              <p className="hint">
                Explaining <strong>{target}</strong>. Click another class to explain it instead, or a word to
                drop, mask or replace it.
              </p>
            </section>
          )}
          <div className="toolbar" role="toolbar" aria-label="Views">
            <ViewTabs only={question.only} onOnly={(only) => ask({ only })} />
            <span className="spring" />
            <ComparePanel catalog={catalog.data} question={question} classes={shown?.classes} onAsk={ask} />
            <SharePanel question={question} />
          </div>
          {!refused && question.text.trim() !== "" && (
            <div className="views" data-tiled={tiled}>
              {tiled ? (
                <>
                  {visible.slice(0, 1).map(card)}
                  <div className="column">{visible.filter((_, place) => place % 2 === 1).map(card)}</div>
                  <div className="column">
                    {visible.filter((_, place) => place > 0 && place % 2 === 0).map(card)}
                  </div>
                </>
              ) : (
                visible.map(card)
              )}
            </div>
          )}
        </div>
      </ExhibitsContext>
    </SelectionContext>
  );
}

/**
 * The other side of a comparison. It explains the same class as this side, unless it is the class that differs or its
 * model does not know it: numbers of different classes say nothing about each other.
 */
function useOther(
  question: Question,
  label: string | undefined,
  catalog: Catalog | undefined,
): Subject | null {
  return useMemo(() => {
    const target = question.target ?? label;
    if (!question.against || target === undefined || !catalog) return null;
    const other = otherSide({ ...question, target }, question.against);
    const known = catalog.models.find(({ name }) => name === other.model)?.classes;
    const able = withModel(other, other.model, catalog);
    return known && !known.includes(able.target ?? "") ? { ...able, target: null } : able;
  }, [question, label, catalog]);
}

/** The same question of another model; methods that cannot explain it give way to the usual ones. */
function withModel<S extends Subject>(subject: S, model: string, catalog: Catalog | undefined): S {
  const methods = { ...subject.methods };
  const parameters = { ...subject.parameters };
  for (const { name } of views) {
    if (!catalog || methodsFor(catalog, name, model).some((method) => method.name === methods[name]))
      continue;
    methods[name] = USUAL_METHODS[name];
    delete parameters[name];
  }
  return { ...subject, model, methods, parameters };
}

/** What is chosen is part of the address; pointing is not. */
function useLinkedSelection(question: Question, ask: ReturnType<typeof useQuestion>[1]): SelectionStore {
  const store = useRef<SelectionStore>(null);
  store.current ??= new SelectionStore(question.selected);
  const selection = store.current;
  const written = useRef(question.selected);
  useEffect(() => {
    written.current = question.selected;
    selection.select(question.selected);
  }, [selection, question.selected]);
  useEffect(
    () =>
      selection.subscribe(() => {
        const { selected } = selection.now;
        if (sameSpan(selected, written.current)) return;
        written.current = selected;
        ask({ selected }, { replace: true });
      }),
    [selection, ask],
  );
  return selection;
}

/** A question goes into the history once the model has answered it. */
function useRemembered(question: Question, prediction: ReturnType<typeof usePrediction>["data"]): void {
  useEffect(() => {
    if (!prediction) return;
    const label = question.target ?? prediction.label;
    remember({
      address: toAddress({ ...question, selected: null }),
      text: question.text,
      model: question.model,
      label,
      probability: prediction.classes.find(({ name }) => name === label)?.probability ?? 0,
      time: new Date().toISOString(),
    });
  }, [question, prediction]);
}
