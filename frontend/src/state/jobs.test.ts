// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ExplanationRequest } from "../explanation";
import { Job } from "./job";
import { Jobs } from "./jobs";

/** A server in a few lines: answers calls, and lets the test send the events. */
class Stream extends EventTarget {
  static open: Stream[] = [];
  closed = false;
  constructor(readonly url: string) {
    super();
    Stream.open.push(this);
  }
  close() {
    this.closed = true;
  }
  send(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
}

const REQUEST: ExplanationRequest = { text: "Good.", model: "sst2-bow", method: "shap" };
const job = (status: string, more: object = {}) => ({
  id: "7",
  status,
  request: REQUEST,
  progress: { evaluated: 0, expected: null },
  explanation: null,
  problem: null,
  ...more,
});
let answer: (request: Request) => Response | Promise<Response>;
let asked: string[];
const says = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
const settled = () => vi.advanceTimersByTimeAsync(5);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  Stream.open = [];
  asked = [];
  answer = () => says(job("queued"), 202);
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return answer(request);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function running(): Promise<[Job, Stream]> {
  const made = new Job(REQUEST);
  void made.start();
  await settled();
  return [made, Stream.open.at(-1) as Stream];
}

test("a job is followed from its progress over partial results to its end", async () => {
  const [made, stream] = await running();
  stream.send("prepared", { words: [], target: 0 });
  stream.send("progress", { evaluated: 3, expected: 9 });
  stream.send("partial", { result: { method: "shap", values: [1] }, finding: "So far." });
  expect(made.state).toMatchObject({
    phase: "running",
    progress: { evaluated: 3, expected: 9 },
    settled: false,
  });
  expect(made.state.explanation?.finding).toBe("So far.");
  stream.send("finished", job("succeeded", { explanation: { finding: "Done." } }));
  expect(made.state).toMatchObject({ phase: "succeeded", settled: true, explanation: { finding: "Done." } });
  expect(stream.closed).toBe(true);
});

test("a known result needs no stream", async () => {
  answer = () => says(job("succeeded", { explanation: { finding: "Known." } }));
  const made = new Job(REQUEST);
  await made.start();
  expect(made.state.explanation?.finding).toBe("Known.");
  expect(Stream.open).toEqual([]);
});

test("a refusal is shown in the server's words", async () => {
  answer = () => says({ type: "urn:espalier:problem:too-long", detail: "too many players: got 99" }, 422);
  const made = new Job(REQUEST);
  await made.start();
  expect(made.state).toMatchObject({
    phase: "failed",
    problem: { code: "too-long", detail: "too many players: got 99" },
  });
});

test("a broken stream is said to be lost, then taken up again where the job is now", async () => {
  const [made, stream] = await running();
  answer = () => says(job("running"));
  stream.dispatchEvent(new Event("error"));
  expect(made.state.lost).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(Stream.open).toHaveLength(2);
  Stream.open[1]?.send("progress", { evaluated: 5, expected: 9 });
  expect(made.state).toMatchObject({ lost: false, progress: { evaluated: 5 } });
});

test("while the network is away the question waits, and goes out as soon as it is back", async () => {
  answer = () => Promise.reject(new TypeError("offline"));
  const made = new Job(REQUEST);
  await made.start();
  expect(made.state).toMatchObject({ lost: true, phase: "waiting" });
  answer = () => says(job("queued"), 202);
  window.dispatchEvent(new Event("online"));
  await settled();
  expect(made.state).toMatchObject({ lost: false, phase: "queued" });
});

test("cancelling closes the stream before it tells the server, and keeps what was drawn", async () => {
  const [made, stream] = await running();
  stream.send("prepared", { words: [] });
  stream.send("partial", { result: { method: "shap" }, finding: "So far." });
  made.cancel();
  expect(stream.closed).toBe(true);
  expect(made.state).toMatchObject({ phase: "cancelled", explanation: { finding: "So far." } });
  await settled();
  expect(asked.at(-1)).toBe("DELETE /v1/explanations/7");
});

test("the same request is the same job, and four streams are open at most", async () => {
  const all = new Jobs();
  const requests = Array.from({ length: 6 }, (_, seed) => ({ ...REQUEST, seed }));
  const made = requests.map((request) => all.job(request));
  for (const one of made) all.watch(one, () => {});
  await settled();
  expect(all.job({ ...REQUEST, seed: 0 })).toBe(made[0]);
  expect(Stream.open).toHaveLength(4);
  Stream.open[0]?.send("finished", job("succeeded", { explanation: {} }));
  await settled();
  expect(Stream.open).toHaveLength(5);
});

test("what nobody looks at any more is stopped", async () => {
  const all = new Jobs();
  const made = all.job(REQUEST);
  const leave = all.watch(made, () => {});
  await settled();
  leave();
  await vi.advanceTimersByTimeAsync(1000);
  expect(made.state.phase).toBe("cancelled");
});
