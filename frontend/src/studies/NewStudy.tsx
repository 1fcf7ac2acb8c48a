import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Button } from "../controls/Button";
import { useCatalog } from "../service/catalog";
import { useTitle } from "../shell/useTitle";
import { createStudy, readDataset } from "./api";
import { missing, NEW_DESIGN, STEPS } from "./create/draft";
import { ExplanationsStep } from "./create/ExplanationsStep";
import { PeopleStep } from "./create/PeopleStep";
import { QuestionStep } from "./create/QuestionStep";
import { Steps } from "./create/Steps";
import { TextsStep } from "./create/TextsStep";
import { WordsStep } from "./create/WordsStep";
import { Problem } from "./Problem";
import "./studies.css";
import { effort } from "./wording";

/** `/studies/new`: a study in five short steps. */
export default function NewStudy() {
  useTitle("New study");
  const [design, setDesign] = useState(NEW_DESIGN);
  const [step, setStep] = useState(0);
  const [seen, setSeen] = useState(0);
  const catalog = useCatalog();
  const navigate = useNavigate();
  const { dataset } = design;
  const reading = useQuery({
    queryKey: ["dataset", dataset],
    queryFn: ({ signal }) => readDataset(dataset, signal),
    enabled: dataset.kind !== "file" || dataset.content !== "",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const creation = useMutation({
    mutationFn: createStudy,
    onSuccess: ({ id }) => navigate({ to: "/studies/$study", params: { study: id } }),
  });

  const lacking = missing(design, step, reading.data ?? null);
  const last = step === STEPS.length - 1;
  const go = (to: number) => {
    setStep(to);
    setSeen(Math.max(seen, to));
  };
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (step > 0) heading.current?.focus();
  }, [step]);

  const props = { design, onChange: setDesign };
  const samplesOf = dataset.kind === "samples" ? dataset.task : null;
  const models = (catalog.data?.models ?? []).filter(
    // People guess classes; a language model has none.
    (model) =>
      model.says === "classes" &&
      model.classes !== null &&
      (samplesOf === null || model.examples === samplesOf),
  );
  const kinds = [...new Set((catalog.data?.samples ?? []).map((sample) => sample.kind))];
  return (
    <div className="studies new-study">
      <header className="page-head">
        <h1>New study</h1>
      </header>
      <Steps names={[...STEPS]} current={step} reachable={seen} onGo={go} />
      <form
        className="card step"
        onSubmit={(event) => {
          event.preventDefault();
          if (lacking !== null) return;
          if (!last) go(step + 1);
          else creation.mutate(design);
        }}
      >
        <h2 ref={heading} tabIndex={-1}>
          {STEPS[step]}
        </h2>
        <Problem error={catalog.error} />
        {STEPS[step] === "Question" && <QuestionStep {...props} />}
        {STEPS[step] === "Texts" && (
          <TextsStep {...props} kinds={kinds} reading={reading.data ?? null} problem={reading.error} />
        )}
        {STEPS[step] === "Explanations" && (
          <ExplanationsStep {...props} models={models} methods={catalog.data?.methods ?? []} />
        )}
        {STEPS[step] === "People" && <PeopleStep {...props} />}
        {STEPS[step] === "Words" && <WordsStep {...props} />}
        <Problem error={creation.error} />
        <footer className="step-foot">
          {step > 0 && (
            <Button size="medium" onClick={() => go(step - 1)}>
              Back
            </Button>
          )}
          <p className="hint step-says" role="status">
            {lacking ?? (step >= 2 ? effort(design) : "")}
          </p>
          <Button type="submit" kind="strong" size="medium" disabled={lacking !== null || creation.isPending}>
            {last ? "Create the study" : "Continue"}
          </Button>
        </footer>
      </form>
    </div>
  );
}
