import type { EvaluationPlan } from "./documents";
import { large } from "./wording";

/** What a run will take, and what must be known before it begins. */
export function Cost({ plan, waiting }: { plan: EvaluationPlan | undefined; waiting: boolean }) {
  if (!plan) return <p className="hint">{waiting ? "Counting…" : ""}</p>;
  return (
    <div aria-live="polite" aria-busy={waiting}>
      <p>
        <strong>{large(plan.texts)} texts</strong>, {large(plan.rows)} rows, at most about{" "}
        <strong>{large(plan.evaluations)} evaluations</strong>: {large(plan.by_methods)} for the methods,{" "}
        {large(plan.by_measures)} for the measures, {large(plan.by_best_order)} to search for bounds and best
        orders, {large(plan.by_gauge)} read by the operators’ gauge. What several need is evaluated once, so
        it is mostly a half or a third.
      </p>
      <ul className="said">
        {plan.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
        {plan.left_out.map(({ model, method }) => (
          <li key={`${model} ${method}`}>
            {method} cannot explain {model}, and is left out for it.
          </li>
        ))}
      </ul>
    </div>
  );
}
