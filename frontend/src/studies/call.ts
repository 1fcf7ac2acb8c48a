import { problemOf, ServiceProblem } from "../service/problem";

/** One call of the service. What is no success is thrown, with words fit to be shown. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const init: RequestInit = { method, ...(signal && { signal }) };
  if (body !== undefined) {
    init.headers = { "Content-Type": "application/json" };
    init.body = JSON.stringify(body);
  }
  const response = await fetch(path, init);
  const said: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ServiceProblem(problemOf({ ...(said as object), status: response.status }));
  return said as T;
}
