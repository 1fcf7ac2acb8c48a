// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Catalog, MethodEntry } from "../service/catalog";
import { fromAddress, toAddress } from "../state/address";
import { methodsFor } from "../state/methods";
import { otherSide, requestFor, withoutGroups } from "../state/question";
import { ExplanationsStep } from "../studies/create/ExplanationsStep";
import { Exhibits, type Shown } from "../workbench/exhibits";
import { ViewTabs } from "../workbench/ViewTabs";
import { drawnBy, type ViewName, views } from "./registry";

/** What a new picture adds to the list: nothing outside of its folder and this line is told of it. */
vi.mock("./registered", async (load) => {
  const { registered } = await load<typeof import("./registered")>();
  const tokens = registered.at(-1);
  const hologram = { ...tokens, name: "hologram", title: "Hologram", usual: "holography", finds: "phrases" };
  return { registered: [...registered, hologram] };
});

const HOLOGRAM = "hologram" as ViewName;
const METHOD = { name: "holography", title: "Holography", view: "hologram", shows: "depth", models: ["m"] };
const CATALOG = { methods: [METHOD as MethodEntry] } as Catalog;

test("its name and its settings are part of an address, and what it opens with is not", () => {
  const question = fromAddress({
    text: "good",
    hologram: "other",
    "hologram.with": { depth: 3 },
    only: "hologram",
  });
  expect(question.only).toBe("hologram");
  expect(question.methods[HOLOGRAM]).toBe("other");
  expect(toAddress(question)).toMatchObject({ hologram: "other", "hologram.with": { depth: 3 } });
  const usual = fromAddress({ text: "good" });
  expect(usual.methods[HOLOGRAM]).toBe("holography");
  expect(toAddress(usual)).not.toHaveProperty("hologram");
});

test("it asks for its usual method, and a comparison by another leaves its settings behind", () => {
  const question = fromAddress({ text: "good", "hologram.with": { depth: 3, groups: [[0, 1]] } });
  expect(requestFor(question, HOLOGRAM, {}).method).toBe("holography");
  const methods = { [HOLOGRAM]: "other" };
  expect(otherSide(question, { methods }).parameters[HOLOGRAM]).toBeUndefined();
  expect(withoutGroups(question.parameters)[HOLOGRAM]).toEqual({ depth: 3 });
});

test("the workbench has its methods, its tab, its place among what is exported and its picture", () => {
  expect(methodsFor(CATALOG, HOLOGRAM, "m").map(({ name }) => name)).toEqual(["holography"]);
  const { getByText } = render(<ViewTabs only={HOLOGRAM} onOnly={() => {}} />);
  expect(getByText("Hologram").getAttribute("aria-pressed")).toBe("true");
  const exhibits = new Exhibits();
  const shown = { viewTitle: "Hologram" } as Shown;
  exhibits.offer("hologram-0", () => shown);
  expect(exhibits.all()).toEqual([shown]);
  const view = views.find(({ name }) => name === HOLOGRAM);
  expect(view && drawnBy(view, {} as never)).toBe(view);
});

test("a study lists its methods by what they find", () => {
  const design = { models: ["m"], methods: [], protocol: "preference" } as unknown as Parameters<
    typeof ExplanationsStep
  >[0]["design"];
  const { getByRole } = render(
    <ExplanationsStep design={design} onChange={() => {}} models={[]} methods={CATALOG.methods} />,
  );
  expect(getByRole("group", { name: "Methods that find phrases" }).textContent).toContain("Holography");
});
