import { expect, test } from "vitest";
import { titleOf } from "./useTitle";

test("a page is called by what it is about, then by the product", () => {
  expect(titleOf("Not a good film.", "Espalier")).toBe("Not a good film. · Espalier");
});

test("a page about nothing yet has the product's name", () => {
  expect(titleOf(undefined, "Espalier")).toBe("Espalier");
});

test("a long sentence is cut between characters, not within them", () => {
  const title = titleOf(`${"🎬".repeat(80)}`, "Espalier");
  expect(title).toBe(`${"🎬".repeat(59)}… · Espalier`);
});

test("an annotator's tab does not name the product", () => {
  expect(titleOf("Which words matter?", null)).toBe("Which words matter?");
});
