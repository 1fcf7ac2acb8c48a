import { expect, test } from "vitest";
import type { Explanation } from "../../explanation";
import { FIRST_QUESTION, requestFor } from "../../state/question";
import { foundFor, NOTHING_FOUND, questionOf, withFound } from "./found";

const one = { reference: "pad" } as Explanation;
const other = { reference: "mask" } as Explanation;
const asked = (change = {}) => questionOf(requestFor({ ...FIRST_QUESTION, ...change }, "tokens", {}));

test("what was found under several references of one question is kept together", () => {
  const both = withFound(withFound(NOTHING_FOUND, asked(), "pad", one), asked(), "mask", other);
  expect(foundFor(both, asked())).toEqual({ pad: one, mask: other });
});

test.each([{ target: "negative" }, { seed: 7 }, { scale: "logit" }, { text: "Another." }])(
  "results of another question are forgotten: %o",
  (change) => {
    const before = withFound(NOTHING_FOUND, asked(), "pad", one);
    expect(foundFor(before, asked(change))).toEqual({});
    expect(foundFor(withFound(before, asked(change), "mask", other), asked(change))).toEqual({ mask: other });
  },
);

test("the reference and the precision are not part of the question", () => {
  expect(asked({ reference: "mask" })).toBe(asked());
  expect(asked({ parameters: { tokens: { budget: 4096 } } })).toBe(asked());
});
