import { problemOf, ServiceProblem } from "./problem";

interface Answered<T> {
  data?: T;
  error?: unknown;
  response?: Response;
}

/** What a call of the generated client brought. What is no success is thrown, with words fit to be shown. */
export async function answerOf<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response?.ok && data !== undefined) return data;
  // Without a response the network failed; a status without a problem comes from something between us and the server.
  throw new ServiceProblem(
    response
      ? problemOf({ ...(typeof error === "object" ? error : {}), status: response.status })
      : problemOf(error instanceof Error ? error : new Error(String(error))),
  );
}
