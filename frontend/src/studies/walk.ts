/** Walking through a study as an annotator does, without taking part: nothing is sent, nothing is kept. */

import type { SessionDocument, Stage, TaskDocument } from "../annotate/documents";
import type { Preview } from "./documents";

/** The screens in order: consent, instructions, practice, tasks, thanks. */
export function screens(preview: Preview): SessionDocument[] {
  const { study, practice, tasks } = preview;
  const at = (stage: Stage, task: TaskDocument | null, done: number): SessionDocument => ({
    stage,
    study,
    progress: { done, total: tasks.length },
    task,
    feedback: null,
    completion: null,
  });
  return [
    at("consent", null, 0),
    at("instructions", null, 0),
    ...practice.map((task) => at("practice", task, 0)),
    ...tasks.map((task, index) => at("tasks", task, index)),
    at("finished", null, tasks.length),
  ];
}
