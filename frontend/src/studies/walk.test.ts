import { expect, test } from "vitest";
import type { StudyShown, TaskDocument } from "../annotate/documents";
import { screens } from "./walk";

const task = (id: string, kind: "practice" | "task") => ({ id, kind }) as TaskDocument;

test("a preview leads through every screen in the order in which people meet them", () => {
  const walked = screens({
    study: {} as StudyShown,
    practice: [task("p1", "practice")],
    tasks: [task("t1", "task"), task("t2", "task")],
  });
  expect(walked.map(({ stage, task }) => [stage, task?.id ?? null])).toEqual([
    ["consent", null],
    ["instructions", null],
    ["practice", "p1"],
    ["tasks", "t1"],
    ["tasks", "t2"],
    ["finished", null],
  ]);
});
