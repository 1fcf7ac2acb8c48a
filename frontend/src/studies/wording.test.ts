import { expect, test } from "vitest";
import { NEW_DESIGN } from "./create/draft";
import { counted, decimals, effort, pValue, signed } from "./wording";

test("a p-value is never a bare zero", () => {
  expect(pValue(0)).toBe("< 0.0001");
  expect(pValue(0.0403)).toBe("0.0403");
  expect(pValue(null)).toBe("–");
});

test("differences carry their sign", () => {
  expect([signed(0.25), signed(-0.1), signed(0), signed(null)]).toEqual(["+0.25", "−0.10", "0.00", "–"]);
});

test("one is singular", () => {
  expect([counted(1, "text"), counted(1200, "text"), counted(2, "person", "people")]).toEqual([
    "1 text",
    "1,200 texts",
    "2 people",
  ]);
});

test("the effort counts screens by what is shown together, and enough people that nobody meets a text twice", () => {
  const design = { ...NEW_DESIGN, models: ["a", "b"], methods: ["x", "y", "z"] };
  expect(effort(design)).toBe("20 texts: 60 screens of 6 lines, by at least 3 people.");
  expect(effort({ ...design, screen: "apart" })).toBe("20 texts: 360 screens, by at least 18 people.");
  const published = {
    ...design,
    protocol: "preference" as const,
    models: ["a"],
    items: 40,
    votes: 5,
    items_per_person: 4,
  };
  expect(effort(published)).toBe("40 texts: 200 screens, by at least 50 people.");
});

test("what rounds to nothing has no sign", () => {
  expect([-0.004, -0.006, 0.001, -12].map((value) => decimals(value))).toEqual([
    "0.00",
    "−0.01",
    "0.00",
    "−12.00",
  ]);
});
