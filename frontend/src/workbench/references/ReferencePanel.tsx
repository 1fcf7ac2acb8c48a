import { useCallback, useState } from "react";
import { Button } from "../../controls/Button";
import { Panel } from "../../controls/Panel";
import type { Explanation, Reference } from "../../explanation";
import type { Catalog } from "../../service/catalog";
import type { Prediction } from "../../service/predictions";
import { methodsFor } from "../../state/methods";
import { type Question, requestFor } from "../../state/question";
import type { Ask } from "../../state/useQuestion";
import { drawnBy, type RegisteredView } from "../../views/registry";
import { SaveMenu } from "../SaveMenu";
import { Agreement } from "./Agreement";
import { usualAbsent } from "./absent";
import { Coalition } from "./Coalition";
import { foundFor, NOTHING_FOUND, questionOf, withFound } from "./found";
import { ReferencePicture } from "./ReferencePicture";
import "./references.css";

interface Props {
  catalog: Catalog;
  question: Question;
  prediction: Prediction;
  view: RegisteredView;
  /** Whether the model says words instead of classes. */
  words: boolean;
  onAsk: Ask;
}

/** One prediction under every way to leave words out: small pictures on one scale, and how far they agree. */
export function ReferencePanel({ catalog, question, prediction, view, words, onAsk }: Props) {
  const [found, setFound] = useState(NOTHING_FOUND);
  const asked = questionOf(requestFor(question, view.name, {}, words));
  const onFound = useCallback(
    (name: string, explanation: Explanation) =>
      setFound((before) => withFound(before, asked, name, explanation)),
    [asked],
  );
  const { references } = catalog;
  const own = foundFor(found, asked);
  const domain = Math.max(0, ...Object.values(own).map((each) => drawnBy(view, each).largest(each)));
  const method = methodsFor(catalog, view.name, question.model).find(
    ({ name }) => name === question.methods[view.name],
  );
  const absent = question.absent ?? usualAbsent(prediction.words.length);
  return (
    <section className="card across view-card" aria-label="References">
      <div className="card-head">
        <h2>What stands in for absent words</h2>
        <span className="spring" />
        <Panel label="How to read References" icon="help" iconOnly>
          <h3>How to read this</h3>
          <div className="prose">
            <p>
              An explanation asks what the model says when words are absent, and something has to stand in
              their place. Each picture shows the same prediction, explained with the same method, under one
              way to do that. All have one scale.
            </p>
            <p>
              τ is Kendall's: the share of pairs of words that two references put in the same order, less the
              share that they put in the other one. 1 is the same ranking, 0 none in common.
            </p>
            <p>
              Where stand-ins depend on the words that are present, a word can be credited though the model
              never looks at it, because others suggest it. Hold two references beside each other to see
              which.
            </p>
          </div>
        </Panel>
        <SaveMenu view={view.name} places={references.length} />
        <Button kind="quiet" onClick={() => onAsk({ across: false })}>
          Back to the views
        </Button>
      </div>
      <p className="shows">
        {method?.title ?? question.methods[view.name]} under all {references.length} references. Click words
        to take them out or put them back, and see what each reference makes of that.
      </p>
      <Coalition
        words={prediction.words}
        absent={absent}
        onAbsent={(changed) => onAsk({ absent: changed }, { replace: true })}
      />
      <ol className="multiples">
        {references.map(({ name, description }, place) => (
          <ReferencePicture
            key={name}
            {...{ question, view, words, domain, place, method, description, onFound, absent }}
            reference={name as Reference}
            usual={own[question.reference]}
            onBeside={() =>
              onAsk({ across: false, only: view.name, against: { reference: name as Reference } })
            }
          />
        ))}
      </ol>
      <Agreement names={references.map(({ name }) => name)} found={own} />
    </section>
  );
}
