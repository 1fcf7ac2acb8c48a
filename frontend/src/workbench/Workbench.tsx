import { useCallback, useEffect, useMemo, useRef } from "react";
import { Button } from "../controls/Button";
import { Icon } from "../controls/Icon";
import { hasBlank } from "../explanation";
import { type Catalog, useCatalog } from "../service/catalog";
import { usePrediction } from "../service/predictions";
import { answered, problemOf } from "../service/problem";
import { useTitle } from "../shell/useTitle";
import { type Span, sameSpan } from "../spans";
import { toAddress } from "../state/address";
import { remember } from "../state/history";
import { methodsFor } from "../state/methods";
import {
  NO_WORDS,
  otherSide,
  type Question,
  type Start,
  type Subject,
  UNKNOWN_START,
  withoutGroups,
} from "../state/question";
import { SelectionContext, SelectionStore } from "../state/selection";
import { useQuestion } from "../state/useQuestion";
import { fillsIn, namedWords, promptOf, speaks } from "../state/words";
import { type RegisteredView, USUAL_METHODS, views } from "../views/registry";
import { ComparePanel } from "./ComparePanel";
import { examplesFor } from "./examples";
import { Exhibits, ExhibitsContext } from "./exhibits";
import { GameSettings } from "./GameSettings";
import { HistoryPanel } from "./HistoryPanel";
import { LongerReaders } from "./LongerReaders";
import { TextMap } from "./levels/TextMap";
import { useLevels } from "./levels/useLevels";
import { MakingReady } from "./MakingReady";
import { PredictionCard } from "./PredictionCard";
import { sentence } from "./ProblemNote";
import { ReferencePanel } from "./references/ReferencePanel";
import { SentenceCard } from "./SentenceCard";
import { SharePanel } from "./SharePanel";
import { sideNames } from "./sideNames";
import { ViewCard } from "./ViewCard";
import { ViewTabs } from "./ViewTabs";
import "./workbench.css";

/** The first page: a sentence, what a model says of it, and five pictures of why. */
export function Workbench() {
  const catalog = useCatalog();
  const [question, ask] = useQuestion(useStart(catalog.data));
  const model = catalog.data?.models.find(({ name }) => name === question.model);
  const words = speaks(model);
  const prompt = promptOf(question);
  // What kind of model it is decides what is asked of it, and only the catalog knows.
  const prediction = usePrediction(
    catalog.data ? prompt : null,
    question.model,
    words ? namedWords(question) : [],
  );
  const exhibits = useRef(new Exhibits()).current;
  const selection = useLinkedSelection(question, ask);

  const current = prediction.isPlaceholderData ? undefined : prediction.data;
  const shown = prediction.data;
  const target = question.target ?? shown?.label ?? "";
  useRemembered(question, current);
  useTitle(question.text);

  const explain = useCallback(
    (text: string) =>
      ask({
        ...NO_WORDS,
        text,
        open: null,
        selected: null,
        absent: null,
      }),
    [ask],
  );
  const other = useOther(question, current?.label, catalog.data);
  const names = question.against && sideNames({ ...question, target }, question.against);
  // Only the server's own no ends the matter; while it cannot be reached, everything is asked again.
  const refused = answered(prediction.error) ? problemOf(prediction.error) : null;
  const making = current || refused ? undefined : problemOf(prediction.failureReason ?? {}).making;
  const visible = question.only ? views.filter(({ name }) => name === question.only) : views;

  // Bars are read at any size.
  const small =
    views.find(({ name }) => name === (question.only ?? "tokens")) ?? (views[0] as RegisteredView);
  const levels = useLevels(catalog.data && question.model !== "" ? question : null, words);
  const onOpen = useCallback(
    (open: Span | null) => ask({ open, selected: null, parameters: withoutGroups(question.parameters) }),
    [ask, question.parameters],
  );
  const tiled = question.only === null && question.against === null;
  const card = (view: RegisteredView) => (
    <ViewCard
      key={view.name}
      {...{ view, question, other, names, onOpen }}
      catalog={catalog.data}
      onAsk={ask}
    />
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
              ask({
                ...withModel(question, model, catalog.data),
                text: textFor(model, question.text, catalog.data),
                ...NO_WORDS,
              })
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
            <div className="card problem" role="alert">
              <p>{sentence(refused.detail)}</p>
              {refused.code === "too-long" && (
                <LongerReaders
                  catalog={catalog.data}
                  model={question.model}
                  onModel={(model) => ask({ model })}
                />
              )}
              {words && namedWords(question).length > 0 && (
                <Button onClick={() => ask({ ...NO_WORDS, at: question.at })}>
                  Back to the likeliest word
                </Button>
              )}
            </div>
          )}
          {making && (
            <section className="card" aria-label="Model">
              <MakingReady model={model?.title ?? question.model} making={making} />
            </section>
          )}
          {!making && !shown && !refused && prediction.isFetching && prediction.failureReason && (
            <p className="card hint" role="status">
              {sentence(problemOf(prediction.failureReason).detail)} Asking again…
            </p>
          )}
          {shown && !refused && !making && (
            <PredictionCard
              {...{ question, target, words, levels, onOpen }}
              blank={fillsIn(model)}
              prediction={shown}
              stale={!current}
              onAsk={ask}
              onExplain={explain}
            />
          )}
          <div className="toolbar" role="toolbar" aria-label="Views">
            <ViewTabs
              only={question.across ? small.name : question.only}
              onOnly={(only) => ask({ only, across: question.across && only !== null })}
            />
            <span className="spring" />
            <Button
              aria-pressed={question.across}
              onClick={() => ask({ across: !question.across, against: null })}
            >
              <Icon name="tile" /> References
            </Button>
            <ComparePanel catalog={catalog.data} question={question} classes={shown?.classes} onAsk={ask} />
            <SharePanel question={question} />
          </div>
          {question.across && !refused && catalog.data && current && (
            <ReferencePanel
              {...{ question, words }}
              catalog={catalog.data}
              prediction={current}
              view={small}
              onAsk={ask}
            />
          )}
          {!question.across && !refused && question.text.trim() !== "" && (
            <div className={levels.found ? "leveled" : undefined}>
              {levels.found && <TextMap found={levels.found} open={question.open} onOpen={onOpen} />}
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
            </div>
          )}
        </div>
      </ExhibitsContext>
    </SelectionContext>
  );
}

/** The text goes along to another model, unless that one fills in a blank and the text has none. */
function textFor(name: string, text: string, catalog: Catalog | undefined): string {
  const model = catalog?.models.find((each) => each.name === name);
  if (!catalog || !model || !fillsIn(model) || hasBlank(text)) return text;
  return examplesFor(catalog, model)[0]?.text ?? text;
}

/** The catalog's first model that can be loaded, with the first of its examples. */
function useStart(catalog: Catalog | undefined): Start {
  return useMemo(() => {
    const first = catalog?.models.find(({ problem }) => !problem) ?? catalog?.models[0];
    if (!catalog || !first) return UNKNOWN_START;
    return { model: first.name, text: examplesFor(catalog, first)[0]?.text ?? UNKNOWN_START.text };
  }, [catalog]);
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
    const model = catalog.models.find(({ name }) => name === other.model);
    const able = withModel(other, other.model, catalog);
    // Any language model can say any word.
    const known =
      speaks(model) === speaks(catalog.models.find(({ name }) => name === question.model)) &&
      (speaks(model) || !model?.classes || model.classes.includes(able.target ?? ""));
    return known ? able : { ...able, target: null, rather: null };
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
