import { Button } from "../controls/Button";
import type { ProblemText } from "../service/problem";
import type { Question } from "../state/question";
import { USUAL_METHODS, type ViewName } from "../views/registry";

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
            <Button onClick={() => onAsk({ players: "nested" })}>Explain level by level instead</Button>
            <Button onClick={() => onAsk({ players: "phrases" })}>Explain phrases instead</Button>
            <Button onClick={() => onAsk({ players: "sentences" })}>Explain sentences instead</Button>
          </>
        )}
        {question.rather !== null && (
          <Button onClick={() => onAsk({ rather: null })}>Hold the word against no other</Button>
        )}
        {question.methods[view] !== usual && (
          <Button onClick={() => onAsk({ methods: { ...question.methods, [view]: usual } })}>
            Use {usual} instead
          </Button>
        )}
        {question.parameters[view] !== undefined && (
          <Button onClick={() => onAsk({ parameters: { ...question.parameters, [view]: undefined } })}>
            Back to the usual settings
          </Button>
        )}
        {!["too-long", "bad-text", "bad-parameter", "unknown-name", "not-supported"].includes(
          problem.code,
        ) && <Button onClick={onAgain}>Try again</Button>}
      </div>
    </div>
  );
}

export function sentence(detail: string): string {
  const ended = /[.!?…]$/.test(detail) ? detail : `${detail}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
