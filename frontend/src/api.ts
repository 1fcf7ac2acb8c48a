/** The few calls the page makes, and the shapes they answer with. */

export type Model = { name: string; title: string; description: string };
export type Catalog = { models: Model[] };

export type Word = { text: string; start: number; end: number };
export type ClassProbability = { name: string; probability: number };
export type Prediction = { model: string; label: string; classes: ClassProbability[]; words: Word[] };

/** Words from `start` up to `end`; `children` are indices into the tree's nodes, none for a single word. */
export type TreeNode = { start: number; end: number; labels: string[]; children: number[] };
export type Tree = { words: Word[]; nodes: TreeNode[] };

export const CATALOG = "/v1/catalog";

export const fetchCatalog = (path: typeof CATALOG, signal: AbortSignal) => call<Catalog>(path, { signal });

export const predict = ({ model, text }: { model: string; text: string }, signal: AbortSignal) =>
  call<Prediction>("/v1/predictions", post({ model, text }, signal));

export const parse = ({ text }: { text: string }, signal: AbortSignal) =>
  call<Tree>("/v1/trees", post({ text }, signal));

/** The server's own words for what was wrong, fit to be shown. */
export class ApiProblem extends Error {}

const post = (body: object, signal: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

async function call<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem("The server does not answer. Is it running? Try again in a moment.");
  }
  if (!response.ok) throw new ApiProblem(await detailOf(response));
  return response.json();
}

/** `detail` of an RFC 9457 problem, or the bare status where something between us and the server answered instead. */
async function detailOf(response: Response): Promise<string> {
  try {
    const { detail } = await response.json();
    if (typeof detail === "string") return detail;
  } catch {
    // Not JSON: the status says what there is to say.
  }
  return `The server answered with status ${response.status}.`;
}
