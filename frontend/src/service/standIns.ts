/** What a reference puts in the place of absent words, in plain text. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type StandInsDocument, type StandInsRequest, showStandIns } from "../client";
import { answerOf } from "./call";

export type StandIns = StandInsDocument;
export type StoodIn = StandIns["texts"][number];

export function useStandIns(request: StandInsRequest) {
  return useQuery({
    queryKey: ["stand-ins", request],
    queryFn: ({ signal }) => answerOf(showStandIns({ body: request, signal })),
    enabled: request.absent.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
