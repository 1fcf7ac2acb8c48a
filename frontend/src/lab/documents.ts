/** The words of the Lab, as the server writes them. */
export type {
  AgreementLine,
  Cell,
  Curve,
  EvaluationDesign,
  EvaluationDocument,
  EvaluationPlan,
  EvaluationResults,
  MeanInterval,
  MeasureColumn,
  Points,
  TableLine,
} from "../client";
