/** What went wrong, in words fit to be shown: the server's own where it said something. */

export interface ProblemText {
  /** What was wrong and what is possible. */
  detail: string;
  /** The kind, for what the interface can offer to do about it. */
  code: string;
  status: number;
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
  const { detail, title, code, type, status } = (cause ?? {}) as Record<string, unknown>;
  const said = [detail, title].find((words) => typeof words === "string") as string | undefined;
  const kind =
    typeof code === "string" ? code : typeof type === "string" ? (type.split(/[/:#]/).at(-1) ?? "") : "";
  const number = typeof status === "number" ? status : 0;
  return { detail: said ?? `The server answered with status ${number}.`, code: kind, status: number };
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
