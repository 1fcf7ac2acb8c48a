// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Doubt, PersonDocument } from "../../client";
import type { Actions } from "../Lifecycle";
import { People } from "./People";

afterEach(cleanup);

const CAME_BACK: Doubt = {
  reason: "by-name",
  says: "came back under this name without a signed link",
  times: 2,
  last: "2026-03-04T12:00:00Z",
};
const FORGED: Doubt = {
  reason: "bad-proof",
  says: "a link whose signature does not fit",
  times: 1,
  last: "2026-03-05T12:00:00Z",
};

const somebody = (person: number, doubts: Doubt[] = []): PersonDocument => ({
  person,
  simulated: false,
  stage: "done",
  joined: "2026-03-04T10:00:00Z",
  finished: null,
  tasks: 3,
  answered: 3,
  attention_failed: 0,
  attention_checks: 1,
  median_milliseconds: 2_000,
  left_out: [],
  doubts,
});

function show(people: PersonDocument[], refused: Doubt[], simulated = false): void {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queries.setQueryData(["studies", "one", "people"], { people, refused });
  const actions = { leaveOut: { isPending: false, error: null, mutate: () => {} } } as unknown as Actions;
  render(
    <QueryClientProvider client={queries}>
      <People study="one" simulated={simulated} actions={actions} />
    </QueryClientProvider>,
  );
}

test("who may not be who they say is marked, with what happened and what to do", () => {
  show([somebody(1), somebody(2, [CAME_BACK])], []);
  expect(screen.getByText("2 people, 1 doubtful")).toBeTruthy();
  const row = screen.getByRole("row", { name: /^2 / });
  expect(row.textContent).toContain(
    "Came back under this name without a signed link: 2 times, last on Mar 4, 2026.",
  );
  expect(within(row).getByText(/Ask the person whether it was them/)).toBeTruthy();
  expect(screen.getByRole("row", { name: /^1 / }).textContent).not.toContain("Came back");
});

test("joins that were refused stand below the people", () => {
  show([somebody(1)], [FORGED]);
  expect(screen.getByText("1 person, some not let in")).toBeTruthy();
  const refused = screen.getByRole("region", { name: "Not let in" });
  expect(refused.textContent).toContain("A link whose signature does not fit: 1 time, last on Mar 5, 2026.");
  expect(refused.textContent).toContain("give them a new link");
});

test("where nothing is doubtful nothing is said of it", () => {
  show([somebody(1)], []);
  expect(screen.queryByRole("columnheader", { name: "Doubtful" })).toBeNull();
  expect(screen.queryByRole("region", { name: "Not let in" })).toBeNull();
});

test("a rehearsal is not blamed for who was not let in", () => {
  show([], [FORGED], true);
  expect(screen.queryByRole("region", { name: "Not let in" })).toBeNull();
});
