/** The owner's calls, and the queries that keep a page up to date. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "./call";
import type {
  Dataset,
  DatasetReading,
  PersonDocument,
  Preview,
  Recruiting,
  ResultsDocument,
  Rule,
  StudyDesign,
  StudyDocument,
  StudyLine,
  StudyStatus,
  Texts,
} from "./documents";

/** Milliseconds between two looks at what is still changing. */
const LIVE = 2_000;
const RESTING = 15_000;

const at = (study: string, rest = "") => `/v1/studies/${encodeURIComponent(study)}${rest}`;

export const useStudies = () =>
  useQuery({
    queryKey: ["studies"],
    queryFn: ({ signal }) => call<{ studies: StudyLine[] }>("GET", "/v1/studies", undefined, signal),
    refetchInterval: 5_000,
  });

const changing = (status: StudyStatus | undefined) => status === "preparing" || status === "published";

export const useStudy = (study: string) =>
  useQuery({
    queryKey: ["studies", study],
    queryFn: ({ signal }) => call<StudyDocument>("GET", at(study), undefined, signal),
    refetchInterval: ({ state }) => (changing(state.data?.status) ? LIVE : RESTING),
  });

export const usePreview = (study: string) =>
  useQuery({
    queryKey: ["studies", study, "preview"],
    queryFn: ({ signal }) => call<Preview>("GET", at(study, "/preview"), undefined, signal),
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
    queryFn: ({ signal }) =>
      call<ResultsDocument>("GET", at(study, `/results${countingQuery(counting)}`), undefined, signal),
    refetchInterval: LIVE,
    placeholderData: (before) => before,
  });

export const usePeople = (study: string) =>
  useQuery({
    queryKey: ["studies", study, "people"],
    queryFn: ({ signal }) =>
      call<{ people: PersonDocument[] }>("GET", at(study, "/people"), undefined, signal),
    refetchInterval: 5_000,
  });

export const exportAddress = (study: string, file: string, query: string) => at(study, `/${file}${query}`);

export const readDataset = (dataset: Dataset, signal?: AbortSignal) =>
  call<DatasetReading>("POST", "/v1/studies/datasets", dataset, signal);

export const createStudy = (design: StudyDesign) => call<StudyDocument>("POST", "/v1/studies", design);

export type Change = { title?: string; texts?: Texts; recruiting?: Recruiting };
export type Rehearsal = { people: number; error_rate: number };

/** Everything an owner can do to a study that is there; afterwards whatever was known of it is asked again. */
export function useActions(study: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["studies"] });
  const move = useMutation({
    mutationFn: (step: "publish" | "pause" | "close" | "prepare") =>
      call<StudyDocument>("POST", at(study, `/${step}`)),
    onSuccess,
  });
  const change = useMutation({
    mutationFn: (what: Change) => call<StudyDocument>("PATCH", at(study), what),
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
      call("PATCH", at(study, `/people/${person}${simulated ? "?simulated=true" : ""}`), {
        excluded,
        reason: excluded ? "left out by the owner" : "",
      }),
    onSuccess,
  });
  const rehearse = useMutation({
    mutationFn: (rehearsal: Rehearsal) =>
      call<{ people: number }>("POST", at(study, "/rehearsals"), rehearsal),
    onSuccess,
  });
  const forgetRehearsal = useMutation({
    mutationFn: () => call("DELETE", at(study, "/rehearsals")),
    onSuccess,
  });
  const destroy = useMutation({
    mutationFn: () => call("DELETE", at(study)),
    onSuccess: () => queries.removeQueries({ queryKey: ["studies", study] }),
  });
  return { move, change, leaveOut, rehearse, forgetRehearsal, destroy };
}
