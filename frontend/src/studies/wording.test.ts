import { expect, test } from "vitest";
import { counted, pValue, signed } from "./wording";

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
