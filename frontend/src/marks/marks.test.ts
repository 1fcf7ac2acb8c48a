import { describe, expect, test } from "vitest";
import { fixture } from "../views/fixtures/drawing";
import {
  fitted,
  numbersLike,
  phraseOf,
  printable,
  setParagraph,
  shortened,
  stretches,
  textOf,
  textWidth,
} from ".";

describe("numbers", () => {
  test("have two decimals, or more where even the largest is small", () => {
    expect(numbersLike([0.62, -0.1]).signed(-0.104)).toBe("−0.10");
    expect(numbersLike([0.004]).signed(0.0042)).toBe("+0.0042");
  });

  test("have no sign where they are written as zero, and a small error is not written as none", () => {
    const numbers = numbersLike([1]);
    expect(numbers.signed(0.001)).toBe("0.00");
    expect(numbers.signed(-0.001)).toBe("0.00");
    expect(numbers.error(0.001)).toBe(" ± <0.01");
  });
});

describe("words", () => {
  test("are cut out of the text by characters, also after an emoji", () => {
    const explanation = fixture("ls-tree-scripts");
    explanation.words.forEach((word, index) => {
      expect(textOf(explanation, [index, index + 1])).toBe(word.text);
    });
    expect(phraseOf(explanation, 0, 4)).toBe("I loved it 😍");
  });

  test("cannot turn the writing direction of what follows, nor break a line", () => {
    expect(printable("a\u202eb\u2066c\nd\u0007")).toBe("abc d\u2407");
  });

  test("are left out in the middle of a long phrase", () => {
    expect(shortened("one two three four five six", 16)).toBe("one two … six");
    expect(shortened("incomprehensibilities", 8)).toBe("incompr…");
  });
});

describe("text", () => {
  test("is cut to the room there is", () => {
    const face = { size: 14 };
    const cut = fitted("heartwarming", 50, face);
    expect(cut.endsWith("…")).toBe(true);
    expect(textWidth(cut, face)).toBeLessThanOrEqual(50);
    expect(fitted("short", 500, face)).toBe("short");
  });

  test("of twenty thousand characters still fits on its line", () => {
    const paragraph = setParagraph(["a".repeat(20_000), "b"], {
      face: { size: 14 },
      room: 300,
      padding: 6,
      gap: 3,
    });
    for (const slot of paragraph.slots) expect(slot.right).toBeLessThanOrEqual(300);
  });
});

test("a block that goes over several lines is round only where it begins and ends", () => {
  const paragraph = setParagraph(["aaaa", "bbbb", "cccc", "dddd"], {
    face: { size: 14 },
    room: 90,
    padding: 6,
    gap: 3,
  });
  const parts = stretches(paragraph, 1, 4);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts[0]?.opens).toBe(true);
  expect(parts.at(-1)?.closes).toBe(true);
  expect(parts.slice(1).every(({ opens }) => !opens)).toBe(true);
  expect(parts.slice(0, -1).every(({ closes }) => !closes)).toBe(true);
});
