/** Calls about diagnoses, and the queries that keep a page up to date. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as client from "../../client";
import { answerOf } from "../../service/call";
import { LIVE, NUMBERS, running } from "../api";
import type { DiagnosisDesign, DiagnosisDocument } from "../documents";

const at = (diagnosis: string) => ({ path: { diagnosis } });

export const useDiagnoses = () =>
  useQuery({
    queryKey: ["diagnoses"],
    queryFn: ({ signal }) => answerOf(client.listDiagnoses({ signal })),
    refetchInterval: ({ state }) => (state.data?.diagnoses.some(running) ? LIVE : false),
  });

export const useDiagnosis = (id: string) =>
  useQuery({
    queryKey: ["diagnoses", id],
    queryFn: ({ signal }) => answerOf(client.showDiagnosis({ ...at(id), signal })),
    refetchInterval: ({ state }) => (running(state.data) ? LIVE : false),
  });

/** Asked again while the run goes on, and once more when it has ended. */
export const useDiagnosisResults = (id: string, run: DiagnosisDocument | undefined) =>
  useQuery({
    queryKey: ["diagnoses", id, "results", run?.status],
    queryFn: ({ signal }) => answerOf(client.showDiagnosisResults({ ...at(id), signal })),
    enabled: run !== undefined,
    refetchInterval: running(run) ? NUMBERS : false,
    placeholderData: (before) => before,
  });

export const useDiagnosisPoints = (id: string, measure: string, run: DiagnosisDocument) =>
  useQuery({
    queryKey: ["diagnoses", id, "points", measure, run.status],
    queryFn: ({ signal }) => answerOf(client.showDiagnosisPoints({ ...at(id), query: { measure }, signal })),
    refetchInterval: running(run) ? NUMBERS : false,
    placeholderData: (before) => before,
  });

/** The texts from `after` on, as many as a page shows. */
export const useDiagnosedTexts = (id: string, after: number, texts: number, run: DiagnosisDocument) =>
  useQuery({
    queryKey: ["diagnoses", id, "rows", after, texts, run.status],
    queryFn: ({ signal }) =>
      answerOf(client.showDiagnosisRows({ ...at(id), query: { after, texts }, signal })),
    placeholderData: (before) => before,
  });

/** One of the texts, by its number. */
export async function diagnosedText(id: string, text: number): Promise<string | undefined> {
  const { data } = await client.showDiagnosisRows({ ...at(id), query: { after: text, texts: 1 } });
  return data?.texts[0]?.text;
}

/** What a diagnosis would take. Null where there is nothing to ask about yet. */
export const useDiagnosisPlan = (design: DiagnosisDesign | null) =>
  useQuery({
    queryKey: ["diagnosis plan", design],
    queryFn: ({ signal }) => answerOf(client.planDiagnosis({ body: design as DiagnosisDesign, signal })),
    enabled: design !== null,
    placeholderData: (before) => (design ? before : undefined),
  });

export function useDiagnosisActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["diagnoses"] });
  return {
    create: useMutation({
      mutationFn: (design: DiagnosisDesign) => answerOf(client.createDiagnosis({ body: design })),
      onSuccess,
    }),
    cancel: useMutation({
      mutationFn: (id: string) => answerOf(client.cancelDiagnosis(at(id))),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: async (id: string) => {
        const { response, error } = await client.deleteDiagnosis(at(id));
        if (!response?.ok) throw error;
      },
      onSuccess,
    }),
  };
}
