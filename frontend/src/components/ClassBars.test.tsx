// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { ClassBars, percent } from "./ClassBars";

test("the most probable class comes first, and every class is there", () => {
  const classes = [
    { name: "joy", probability: 0.2 },
    { name: "anger", probability: 0.7 },
    { name: "fear", probability: 0.1 },
  ];
  const { container } = render(<ClassBars classes={classes} />);
  const rows = [...container.querySelectorAll("li")].map((row) => row.textContent);
  expect(rows).toEqual(["anger70.0%", "joy20.0%", "fear10.0%"]);
});

test("a probability that is not quite one is not shown as one", () => {
  expect(percent(0.99999)).toBe(">99.9%");
  expect(percent(1)).toBe("100.0%");
  expect(percent(0.00001)).toBe("<0.1%");
  expect(percent(0)).toBe("0.0%");
});
