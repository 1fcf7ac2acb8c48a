import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem, parse } from "./api";

const signal = new AbortController().signal;
const serverAnswers = (answer: () => Response | Promise<never>) =>
  vi.stubGlobal("fetch", async () => answer());

afterEach(() => vi.unstubAllGlobals());

test("the detail of a problem is what the reader sees", async () => {
  const problem = { type: "urn:espalier:problem:bad-text", status: 422, detail: "empty text: got no words" };
  serverAnswers(() => Response.json(problem, { status: 422 }));
  await expect(parse({ text: "" }, signal)).rejects.toThrow(new ApiProblem("empty text: got no words"));
});

test("an answer that is no problem document still says its status", async () => {
  serverAnswers(() => new Response("<html>Bad gateway</html>", { status: 502 }));
  await expect(parse({ text: "Hello." }, signal)).rejects.toThrow("502");
});

test("a server that does not answer is said in plain words", async () => {
  serverAnswers(() => Promise.reject(new TypeError("Failed to fetch")));
  await expect(parse({ text: "Hello." }, signal)).rejects.toThrow("does not answer");
});
