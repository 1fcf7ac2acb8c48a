/** The Lab's calls, and the queries that keep a page up to date. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as client from "../client";
import { answerOf } from "../service/call";
import type { EvaluationDesign, EvaluationDocument } from "./documents";

/** Milliseconds between two looks at a run, and at its numbers, which cost more. */
export const LIVE = 2_000;
export const NUMBERS = 15_000;

const at = (evaluation: string) => ({ path: { evaluation } });
export const running = (run: Pick<EvaluationDocument, "status"> | undefined) => run?.status === "running";

export const useRuns = () =>
  useQuery({
    queryKey: ["evaluations"],
    queryFn: ({ signal }) => answerOf(client.listEvaluations({ signal })),
    refetchInterval: ({ state }) => (state.data?.evaluations.some(running) ? LIVE : false),
  });

export const useRun = (id: string) =>
  useQuery({
    queryKey: ["evaluations", id],
    queryFn: ({ signal }) => answerOf(client.showEvaluation({ ...at(id), signal })),
    refetchInterval: ({ state }) => (running(state.data) ? LIVE : false),
  });

/** Asked again while the run goes on, and once more when it has ended. */
export const useResults = (id: string, run: EvaluationDocument | undefined) =>
  useQuery({
    queryKey: ["evaluations", id, "results", run?.status],
    queryFn: ({ signal }) => answerOf(client.showEvaluationResults({ ...at(id), signal })),
    enabled: run !== undefined,
    refetchInterval: running(run) ? NUMBERS : false,
    placeholderData: (before) => before,
  });

export const usePoints = (id: string, measure: string, run: EvaluationDocument) =>
  useQuery({
    queryKey: ["evaluations", id, "points", measure, run.status],
    queryFn: ({ signal }) => answerOf(client.showEvaluationPoints({ ...at(id), query: { measure }, signal })),
    enabled: measure !== "",
    refetchInterval: running(run) ? NUMBERS : false,
    placeholderData: (before) => before,
  });

/** The sentences from `after` on, as many as a page shows. */
export const useSentences = (id: string, after: number, texts: number, run: EvaluationDocument) =>
  useQuery({
    queryKey: ["evaluations", id, "rows", after, texts, run.status],
    queryFn: ({ signal }) =>
      answerOf(client.showEvaluationRows({ ...at(id), query: { after, texts }, signal })),
    placeholderData: (before) => before,
  });

/** One of the sentences, by its number. */
export async function sentenceOf(id: string, text: number): Promise<string | undefined> {
  const { data } = await client.showEvaluationRows({ ...at(id), query: { after: text, texts: 1 } });
  return data?.texts[0]?.text;
}

export const useMeasures = () =>
  useQuery({
    queryKey: ["measures"],
    queryFn: ({ signal }) => answerOf(client.listMeasures({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What a run would take. Null where there is nothing to ask about yet. */
export const usePlan = (design: EvaluationDesign | null) =>
  useQuery({
    queryKey: ["plan", design],
    queryFn: ({ signal }) => answerOf(client.planEvaluation({ body: design as EvaluationDesign, signal })),
    enabled: design !== null,
    placeholderData: (before) => (design ? before : undefined),
  });

export function useActions() {
  const queries = useQueryClient();
  const fresh = () => queries.invalidateQueries({ queryKey: ["evaluations"] });
  return {
    create: useMutation({
      mutationFn: (design: EvaluationDesign) => answerOf(client.createEvaluation({ body: design })),
      onSuccess: fresh,
    }),
    cancel: useMutation({
      mutationFn: (id: string) => answerOf(client.cancelEvaluation(at(id))),
      onSuccess: fresh,
    }),
    remove: useMutation({
      mutationFn: async (id: string) => {
        const { response, error } = await client.deleteEvaluation(at(id));
        if (!response?.ok) throw error;
      },
      onSuccess: fresh,
    }),
  };
}
