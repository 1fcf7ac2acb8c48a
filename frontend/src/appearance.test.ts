/** The same examples as the tests of the Python side: what both languages write and draw, they write and draw alike. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import vectors from "../../tests/shared/vectors.json";
import appearance from "./appearance";
import { tint } from "./colour";
import type { Explanation } from "./explanation";
import { numbersLike, percent, printable, quoted, shortened } from "./marks";
import { fixture } from "./views/fixtures/drawing";
import { arrowKey, graphOf } from "./views/graph/arrows";
import type { GraphExplanation } from "./views/graph/result";
import { ladderOf, neutral } from "./views/ladder/result";
import { addsUp } from "./views/tokens/result";

describe("written and drawn as in Python", () => {
  test.each(vectors.numbers)("$value among $like", ({ like, value, signed, plain }) => {
    expect(numbersLike(like).signed(value)).toBe(signed);
    expect(numbersLike(like).plain(value)).toBe(plain);
  });

  test.each(vectors.errors)("an error of $value among $like", ({ like, value, written }) => {
    expect(numbersLike(like).error(value)).toBe(written);
  });

  test.each(vectors.percents)("a share of $share", ({ share, written }) => {
    expect(percent(share)).toBe(written);
  });

  test.each(vectors.colours)("the colour of $value up to $limit", ({ value, limit, fill }) => {
    expect(tint(value, limit).fill).toBe(fill);
  });

  test.each(vectors.quotes)("a quote of $text", ({ text, written }) => {
    expect(quoted(text)).toBe(written);
  });

  test.each(vectors.shortened)("$text in $most characters", ({ text, most, written }) => {
    expect(shortened(text, most)).toBe(written);
  });

  test.each(vectors.printable)("$text on one line", ({ text, written }) => {
    expect(printable(text)).toBe(written);
  });

  test.each(vectors.sums)("whether $values lead from $base to $full", ({ values, base, full, adds_up }) => {
    const words = values.map((score) => ({ score }));
    expect(addsUp({ words, ends: [base, full] })).toBe(adds_up);
  });

  test.each(vectors.arrows)(
    "the first arrows of $fixture with $doubted in doubt",
    ({ fixture: name, doubted, first }) => {
      const explanation = fixture(name);
      const pairs = explanation.reading.pairs.map((pair) =>
        pair.first === doubted?.[0] && pair.second === doubted[1] ? { ...pair, draw_error: 10 } : pair,
      );
      const read = { ...explanation, reading: { ...explanation.reading, pairs } } as GraphExplanation;
      expect(graphOf(read).arrows.slice(0, first.length).map(arrowKey)).toEqual(first);
    },
  );

  test.each(vectors.neutrals)(
    "what says nothing in $fixture on the scale $scale",
    ({ fixture: name, scale, neutral: nothing }) => {
      const explanation = { ...fixture(name), scale: scale as Explanation["scale"] };
      const result = ladderOf(explanation);
      expect(result && neutral(explanation, result)).toBe(nothing);
    },
  );
});

test("the page's light theme has the colours that pictures take with them", () => {
  const sheet = readFileSync(join(import.meta.dirname, "style", "tokens.css"), "utf-8");
  const { paper, ink, quiet, line, track, accent } = appearance.colour.paper;
  for (const [name, colour] of Object.entries({ card: paper, ink, quiet, line, track, accent }))
    expect(sheet).toContain(`--${name}: light-dark(${colour}, `);
});

test("pictures take the colours of paper from the shared file", () => {
  const colours = new RegExp(Object.values(appearance.colour.paper).join("|"), "i");
  const views = join(import.meta.dirname, "views");
  const own = readdirSync(views, { recursive: true, encoding: "utf-8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|fixtures/.test(name))
    .filter((name) => colours.test(readFileSync(join(views, name), "utf-8")));
  expect(own).toEqual([]);
});
