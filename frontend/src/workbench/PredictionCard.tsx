import type { Prediction } from "../service/predictions";
import type { Span } from "../spans";
import { playersOf } from "../state/levels";
import { NO_WORDS, type Question } from "../state/question";
import type { Ask } from "../state/useQuestion";
import { explaining, holding, promptOf, withTyped } from "../state/words";
import { LevelsCard } from "./levels/LevelsCard";
import type { useLevels } from "./levels/useLevels";
import { PredictionBar } from "./PredictionBar";
import { WordStrip } from "./WordStrip";
import { NextWords } from "./words/NextWords";
import { RunningText } from "./words/RunningText";
import { WordTools } from "./words/WordTools";
import "./words/words.css";

interface Props {
  question: Question;
  prediction: Prediction;
  /** Whether the prediction is of the question before. */
  stale: boolean;
  target: string;
  /** Whether the model says words instead of classes: the next one, or the one for a blank. */
  words: boolean;
  blank: boolean;
  /** The levels of a long text, and how one is opened. */
  levels: ReturnType<typeof useLevels>;
  onOpen(span: Span | null): void;
  onAsk: Ask;
  onExplain(text: string): void;
}

/** What the model says, which part of it is explained, and the text word by word. */
export function PredictionCard(props: Props) {
  const { question, prediction, stale, target, words, blank, levels, onOpen, onAsk, onExplain } = props;
  const long = playersOf(question, words) === "nested";
  // Of a long text only the words that are open are set out one by one.
  const strip = !stale && (!long || question.open) && (
    <WordStrip
      key={promptOf(question)}
      range={long ? question.open : null}
      subject={{ ...question, text: promptOf(question), at: null }}
      prediction={prediction}
      target={target}
      {...{ words, blank }}
      onExplain={onExplain}
      onCompare={(text) => onAsk({ against: { text } })}
    />
  );
  return (
    <>
      {words && !blank && (
        <section className="card reading" aria-label="Running text">
          <RunningText
            text={question.text}
            model={question.model}
            at={question.at}
            onWord={(at, word) => onAsk({ ...NO_WORDS, at, target: word, real: word, selected: null })}
          />
        </section>
      )}
      <section className="card reading" aria-label="Prediction" aria-busy={stale}>
        {words ? (
          <Words {...{ question, prediction, target, blank, onAsk }} />
        ) : (
          <PredictionBar
            prediction={prediction}
            target={target}
            onTarget={(name) => onAsk({ target: name })}
          />
        )}
        {long && <LevelsCard {...levels} {...{ target, onOpen }} open={question.open} />}
        {strip}
        <p className="hint">
          {!words && (
            <>
              Explaining <strong>{target}</strong>.{" "}
            </>
          )}
          Click another {blank ? "word for the blank" : words ? "next word" : "class"} to explain it instead
          {strip ? `, or a word${words ? " of the text" : ""} to drop, mask or replace it` : ""}.
        </p>
      </section>
    </>
  );
}

function Words({
  question,
  prediction,
  target,
  blank,
  onAsk,
}: Pick<Props, "question" | "prediction" | "target" | "blank" | "onAsk">) {
  const { rather, real } = question;
  const pair = { target, rather };
  const kept = (word: string) => ({ typed: withTyped(word, question.typed), against: null });
  return (
    <>
      <NextWords
        {...{ prediction, blank, real }}
        {...pair}
        onTarget={(word) => onAsk({ ...explaining(word, pair), against: null })}
      />
      <WordTools
        {...{ prediction, blank, real }}
        {...pair}
        // Of a word of the text, the text says which one really came.
        onReal={question.at === null ? (word) => onAsk({ target, real: word }) : null}
        onRather={(word) => onAsk({ ...holding(word, pair), against: null })}
        onSwap={() => rather !== null && onAsk({ ...explaining(rather, pair), against: null })}
        onTyped={(word) => onAsk({ ...explaining(word, pair), ...kept(word) })}
        onTypedRather={(word) => onAsk({ ...holding(word, pair), ...kept(word) })}
        onBoth={(predicted, came) => onAsk({ target: predicted, rather: null, against: { target: came } })}
      />
    </>
  );
}
