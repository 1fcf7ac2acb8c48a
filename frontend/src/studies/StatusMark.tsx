import type { StudyStatus } from "./documents";
import { STATUS } from "./wording";

export function StatusMark({ status }: { status: StudyStatus }) {
  return <span className={`status ${status}`}>{STATUS[status].label}</span>;
}
