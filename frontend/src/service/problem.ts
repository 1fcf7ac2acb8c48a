/** What went wrong, in words fit to be shown: the server's own where it said something. */

export interface ProblemText {
  /** What was wrong and what is possible. */
  detail: string;
  /** The kind, for what the interface can offer to do about it. */
  code: string;
  status: number;
  /** How far a model is that is made ready for its first use: parts done, of how many. */
  making?: Making | undefined;
}

export interface Making {
  done: number;
  count: number;
}

export class ServiceProblem extends Error {
  constructor(readonly problem: ProblemText) {
    super(problem.detail);
  }
}

const UNREACHABLE: ProblemText = {
  detail: "The server does not answer. Is it running? Try again in a moment.",
  code: "unreachable",
  status: 0,
};

/** An RFC 9457 problem, an error of the network, or anything else that was thrown. */
export function problemOf(cause: unknown): ProblemText {
  if (cause instanceof ServiceProblem) return cause.problem;
  if (cause instanceof Error) return { ...UNREACHABLE };
  const { detail, title, code, type, status, making } = (cause ?? {}) as Record<string, unknown>;
  const said = [detail, title].find((words) => typeof words === "string") as string | undefined;
  const kind =
    typeof code === "string" ? code : typeof type === "string" ? (type.split(/[/:#]/).at(-1) ?? "") : "";
  const number = typeof status === "number" ? status : 0;
  return {
    detail: said ?? `The server answered with status ${number}.`,
    code: kind,
    status: number,
    ...(isMaking(making) && { making }),
  };
}

function isMaking(value: unknown): value is Making {
  const { done, count } = (value ?? {}) as Record<string, unknown>;
  return typeof done === "number" && typeof count === "number" && count > 0;
}

/** Milliseconds until the same is asked again: soon where a model is being made ready, so that its bar moves. */
export function pauseAfter(attempt: number, error: unknown): number {
  if (error instanceof ServiceProblem && error.problem.making) return 700;
  return Math.min(8000, 1000 * 2 ** attempt);
}

/** Whether an error is the server's answer, and not that it could not be reached or has no time just now. */
export function answered(error: unknown): boolean {
  return error instanceof ServiceProblem && ![0, 429, 502, 503, 504].includes(error.problem.status);
}

/** Whether the server understood and refused: sent again, the same would be refused again. */
export function refused(error: unknown): boolean {
  return (
    error instanceof ServiceProblem &&
    error.problem.status >= 400 &&
    error.problem.status < 500 &&
    ![408, 429].includes(error.problem.status)
  );
}
