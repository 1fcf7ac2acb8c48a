import { expect, test } from "vitest";
import { fromAddress, permalink, readSearch, toAddress, writeSearch } from "./address";
import { FIRST_QUESTION, type Question } from "./question";

const EVERYTHING: Question = {
  text: 'He said "no" & 100% <b>meant</b> it? ‮מה',
  model: "emotion-minilm",
  target: " joy",
  rather: " grief",
  at: 12,
  scale: "log_odds",
  reference: "mask",
  players: "phrases",
  open: [3, 9],
  seed: 42,
  draws: 16,
  fill: "in-turn",
  methods: { ...FIRST_QUESTION.methods, tokens: "lime" },
  parameters: { tokens: { samples: 500 }, graph: { budget: 4000 } },
  only: "tokens",
  selected: [2, 5],
  against: { model: "sst2-bow", methods: { tokens: "shap" } },
  across: true,
  typed: [" sorrow", "42"],
  real: " mourning",
  absent: [1, 4],
};

function reopened(question: Question): Question {
  return fromAddress(readSearch(new URL(permalink(question, "http://here")).search));
}

test("a link restores everything it was made from", () => {
  expect(reopened(EVERYTHING)).toEqual(EVERYTHING);
});

test("the first question takes no more than its text and model", () => {
  const first = { ...FIRST_QUESTION, model: "theirs" };
  expect(toAddress(first)).toEqual({ text: first.text, model: "theirs" });
  expect(fromAddress({})).toEqual(FIRST_QUESTION);
});

test("an address without a model is of the model that the server names first", () => {
  const start = { text: "Their sentence.", model: "theirs" };
  expect(fromAddress({}, start)).toMatchObject(start);
  expect(fromAddress({ model: "other", text: "Hi" }, start)).toMatchObject({ text: "Hi", model: "other" });
});

test.each(["42", "true", "null", '{"a":1}', '"quoted"', "-1", "[1]", "", " "])(
  "a text that looks like data is still that text: %s",
  (text) => {
    expect(reopened({ ...FIRST_QUESTION, text }).text).toBe(text);
  },
);

test("what cannot be understood is left out", () => {
  const address = readSearch(
    "?text=Hi&scale=loud&reference=7&seed=-3&only=sky&select=5-2&against=[1]&tree.with=9",
  );
  expect(fromAddress(address)).toEqual({ ...FIRST_QUESTION, text: "Hi" });
});

test("a reference that was installed besides is kept as it is named", () => {
  const reference = "masked-lm" as Question["reference"];
  expect(reopened({ ...FIRST_QUESTION, reference, against: { reference } })).toMatchObject({
    reference,
    against: { reference },
  });
});

test("an address reads as words, not as quoted data", () => {
  expect(writeSearch({ text: "Good", seed: 3, "tokens.with": { budget: 9 } })).toBe(
    "text=Good&seed=3&tokens.with=%7B%22budget%22%3A9%7D",
  );
});

test("digits that are too many for a number are kept as they came", () => {
  const ids = "?PROLIFIC_PID=61234567890123456789&name=007&code=1e5";
  expect(writeSearch(readSearch(ids))).toBe(ids.slice(1));
});
