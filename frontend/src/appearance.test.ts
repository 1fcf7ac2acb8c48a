/** The same examples as the tests of the Python side: what both languages write and draw, they write and draw alike. */
import { describe, expect, test } from "vitest";
import vectors from "../../tests/shared/vectors.json";
import { tint } from "./colour";
import { numbersLike, percent, printable, quoted, shortened } from "./marks";
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
});
