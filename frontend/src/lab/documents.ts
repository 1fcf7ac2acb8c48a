/** The words of the Lab, as the server writes them. */
import type { EvaluationDocument } from "../client";

export type {
  AgreementLine,
  ContextFree,
  Curve,
  DiagnosisDesign,
  DiagnosisDocument,
  DiagnosisPlan,
  DiagnosisResults,
  EditDesign,
  EditDocument,
  EditedModel,
  EditPlan,
  EditResults,
  EvaluationDesign,
  EvaluationDocument,
  EvaluationPlan,
  EvaluationResults,
  FittedFunction,
  MeanInterval,
  MeasureColumn,
  ModelFindings,
  OperatorLine,
  Points,
  RowList,
  TableLine,
} from "../client";

/** What runs of all kinds say of themselves. */
export type RunDocument = Omit<EvaluationDocument, "design">;
