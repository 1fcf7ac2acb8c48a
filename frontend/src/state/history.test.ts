// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { type Entry, forgetAll, recall, refresh, remember } from "./history";

const entry = (text: string): Entry => ({
  address: { text, model: "sst2-minilm" },
  text,
  model: "sst2-minilm",
  label: "positive",
  probability: 0.9,
  time: "2026-11-16T14:00:00Z",
});

beforeEach(() => {
  localStorage.clear();
  refresh();
});

test("what was explained last comes first, and once", () => {
  for (const text of ["one", "two", "one"]) remember(entry(text));
  expect(recall().map(({ text }) => text)).toEqual(["one", "two"]);
});

test("the history outlives the page", () => {
  remember(entry("kept"));
  refresh();
  expect(recall()).toEqual([entry("kept")]);
});

test("it is forgotten when asked, and fifty are enough", () => {
  for (let index = 0; index < 60; index++) remember(entry(`sentence ${index}`));
  expect(recall()).toHaveLength(50);
  forgetAll();
  refresh();
  expect(recall()).toEqual([]);
});

test("a damaged or foreign store is no history, and no error", () => {
  for (const damaged of ["{", "7", '[{"text":3}]']) {
    localStorage.setItem("espalier.history", damaged);
    refresh();
    expect(recall()).toEqual([]);
  }
});
