/** What the server tells an annotator's page: nothing of methods, models, other people or results. */

export type {
  Answered,
  Completion,
  Example,
  Feedback,
  Group,
  Highlighted,
  Joined,
  Option,
  SessionDocument,
  StudyShown,
  TaskDocument,
  WordShown,
} from "../client/types.gen";

import type { SessionDocument } from "../client/types.gen";

export type Stage = SessionDocument["stage"];
