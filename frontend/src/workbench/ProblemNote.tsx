import type { ProblemText } from "../service/problem";
import { type Question, USUAL_METHODS } from "../state/question";
import type { ViewName } from "../views/view";

interface Props {
  problem: ProblemText;
  view: ViewName;
  question: Question;
  onAsk(change: Partial<Question>): void;
  onAgain(): void;
}

/** What was wrong, in the server's words, and what can be done about it here. */
export function ProblemNote({ problem, view, question, onAsk, onAgain }: Props) {
  const usual = USUAL_METHODS[view];
  return (
    <div className="problem" role="alert">
      <p>{sentence(problem.detail)}</p>
      <div className="problem-ways">
        {problem.code === "too-long" && question.players === "words" && (
          <>
            <button type="button" className="chip-button" onClick={() => onAsk({ players: "phrases" })}>
              Explain phrases instead
            </button>
            <button type="button" className="chip-button" onClick={() => onAsk({ players: "sentences" })}>
              Explain sentences instead
            </button>
          </>
        )}
        {question.methods[view] !== usual && (
          <button
            type="button"
            className="chip-button"
            onClick={() => onAsk({ methods: { ...question.methods, [view]: usual } })}
          >
            Use {usual} instead
          </button>
        )}
        {question.parameters[view] !== undefined && (
          <button
            type="button"
            className="chip-button"
            onClick={() => onAsk({ parameters: { ...question.parameters, [view]: undefined } })}
          >
            Back to the usual settings
          </button>
        )}
        {!["too-long", "bad-text", "bad-parameter", "unknown-name", "not-supported"].includes(
          problem.code,
        ) && (
          <button type="button" className="chip-button" onClick={onAgain}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

export function sentence(detail: string): string {
  const ended = /[.!?…]$/.test(detail) ? detail : `${detail}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
