/** How surprising each word of a running text is to a language model. */
import { useQuery } from "@tanstack/react-query";
import { measureSurprise, type SurpriseDocument } from "../client";
import { answerOf } from "./call";

export type Surprise = SurpriseDocument;
export type SurprisingWord = Surprise["words"][number];

export function useSurprise(text: string, model: string, wanted: boolean) {
  return useQuery({
    queryKey: ["surprise", model, text],
    queryFn: ({ signal }) => answerOf(measureSurprise({ body: { model, text }, signal })),
    enabled: wanted && text.trim() !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
}
