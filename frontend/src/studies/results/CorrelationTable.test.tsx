// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { AgainstPeople, PeopleAndMeasures } from "../documents";
import { CorrelationTable } from "./CorrelationTable";

afterEach(cleanup);

const against = (method: string | null, rho: number | null, verdict: AgainstPeople["verdict"]) => ({
  measure: "sufficiency-delete",
  model: "bow",
  method,
  correlation: {
    rho,
    low: rho === null ? null : rho - 0.2,
    high: rho === null ? null : rho + 0.2,
    p: rho === null ? null : 0.01,
    items: 40,
    groups: 8,
  },
  corrected: rho === null ? null : 0.02,
  verdict,
  says: "",
});

const DATA: PeopleAndMeasures = {
  study: "s1",
  simulated: false,
  run: { evaluation: "e1", status: "finished", done: 40, total: 40, seconds_left: null },
  expected_evaluations: null,
  measures: [
    {
      name: "sufficiency-delete",
      title: "Sufficiency (delete)",
      description: "",
      better: "lower",
      operator: "delete",
      has_curve: true,
    },
  ],
  items: [],
  unmeasured: {},
  correlations: [
    against(null, -0.5, "with"),
    against("hedge", 0.1, "undecided"),
    against("lime", null, "too-few"),
  ],
  fewest_texts: 10,
  says: "",
  seed: 1,
};

test("only what holds is said to go with people, and a measure says which way is better", () => {
  render(<CorrelationTable model="bow" data={DATA} titled={false} />);
  const row = screen.getByRole("row", { name: /Sufficiency \(delete\).*lower is better/ });
  const [together, hedge, lime] = within(row).getAllByRole("cell");
  expect(together?.textContent).toBe("−0.50−0.70 to −0.30with people");
  expect(together?.querySelector(".decided")?.textContent).toBe("−0.50");
  expect(hedge?.textContent).toBe("0.10−0.10 to 0.30");
  expect(hedge?.querySelector(".decided")).toBeNull();
  expect(lime?.textContent).toBe("–8 textstoo few");
});
