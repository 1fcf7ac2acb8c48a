/** The owner's calls, and the queries that keep a page up to date. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as client from "../client";
import { answerOf } from "../service/call";
import type { Dataset, Recruiting, Rule, StudyDesign, StudyDocument, StudyStatus, Texts } from "./documents";

/** Milliseconds between two looks at what is still changing. */
const LIVE = 2_000;
const RESTING = 15_000;

const at = (study: string) => ({ path: { study } });

export const useStudies = () =>
  useQuery({
    queryKey: ["studies"],
    queryFn: ({ signal }) => answerOf(client.listStudies({ signal })),
    refetchInterval: 5_000,
  });

const changing = (status: StudyStatus | undefined) => status === "preparing" || status === "published";

export const useStudy = (study: string) =>
  useQuery({
    queryKey: ["studies", study],
    queryFn: ({ signal }) => told(client.showStudy({ ...at(study), signal })),
    refetchInterval: ({ state }) => (changing(state.data?.status) ? LIVE : RESTING),
  });

export const usePreview = (study: string) =>
  useQuery({
    queryKey: ["studies", study, "preview"],
    queryFn: ({ signal }) => answerOf(client.previewStudy({ ...at(study), signal })),
    refetchOnWindowFocus: false,
  });

/** Which answers to count: those of the rehearsal or of real people, and which rules not to follow. */
export type Counting = { simulated: boolean; keep: Rule[] };

export function countingQuery({ simulated, keep }: Counting): string {
  const query = new URLSearchParams(keep.map((rule) => ["keep", rule]));
  if (simulated) query.set("simulated", "true");
  return query.size > 0 ? `?${query}` : "";
}

export const useResults = (study: string, counting: Counting) =>
  useQuery({
    queryKey: ["studies", study, "results", countingQuery(counting)],
    queryFn: ({ signal }) => answerOf(client.showResults({ ...at(study), query: counting, signal })),
    refetchInterval: LIVE,
    placeholderData: (before) => before,
  });

/** Asked again when there are more answers, and while the items are being measured. */
export const useMeasures = (study: string, counting: Counting, answers: number) =>
  useQuery({
    queryKey: ["studies", study, "measures", countingQuery(counting), answers],
    queryFn: ({ signal }) => answerOf(client.showStudyMeasures({ ...at(study), query: counting, signal })),
    refetchInterval: ({ state }) => (state.data?.run?.status === "running" ? LIVE : false),
    placeholderData: (before) => before,
  });

export function useMeasuring(study: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(client.measureStudy(at(study))),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["studies", study, "measures"] }),
  });
}

export const usePeople = (study: string) =>
  useQuery({
    queryKey: ["studies", study, "people"],
    queryFn: ({ signal }) => answerOf(client.listPeople({ ...at(study), signal })),
    refetchInterval: 5_000,
  });

/** Where a browser finds a file to save: a link, not a call. */
export const exportAddress = (study: string, file: string, query: string) =>
  `/v1/studies/${encodeURIComponent(study)}/${file}${query}`;

export const readDataset = (dataset: Dataset, signal?: AbortSignal) =>
  answerOf(client.readDataset({ body: dataset, ...(signal && { signal }) }));

export const createStudy = (design: StudyDesign) => told(client.createStudy({ body: design }));

/** A study as the server tells it: with every value of its design said. */
const told = (call: ReturnType<typeof client.showStudy>) => answerOf(call) as Promise<StudyDocument>;

const MOVES = {
  publish: client.publishStudy,
  pause: client.pauseStudy,
  close: client.closeStudy,
  prepare: client.prepareStudy,
};

export type Change = { title?: string; texts?: Texts; recruiting?: Recruiting };
export type Rehearsal = { people: number; error_rate: number };

/** Everything an owner can do to a study that is there; afterwards whatever was known of it is asked again. */
export function useActions(study: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["studies"] });
  const move = useMutation({
    mutationFn: (step: keyof typeof MOVES) => told(MOVES[step](at(study))),
    onSuccess,
  });
  const change = useMutation({
    mutationFn: (what: Change) => told(client.changeStudy({ ...at(study), body: what })),
    onSuccess,
  });
  const leaveOut = useMutation({
    mutationFn: ({
      person,
      simulated,
      excluded,
    }: {
      person: number;
      simulated: boolean;
      excluded: boolean;
    }) =>
      answerOf(
        client.changePerson({
          path: { study, person },
          query: { simulated },
          body: { excluded, reason: excluded ? "left out by the owner" : "" },
        }),
      ),
    onSuccess,
  });
  const rehearse = useMutation({
    mutationFn: (rehearsal: Rehearsal) => answerOf(client.rehearseStudy({ ...at(study), body: rehearsal })),
    onSuccess,
  });
  const forgetRehearsal = useMutation({
    mutationFn: () => answerOf(client.forgetRehearsals(at(study))),
    onSuccess,
  });
  const destroy = useMutation({
    mutationFn: () => answerOf(client.deleteStudy(at(study))),
    onSuccess: () => queries.removeQueries({ queryKey: ["studies", study] }),
  });
  return { move, change, leaveOut, rehearse, forgetRehearsal, destroy };
}
