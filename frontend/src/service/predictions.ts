/** What a model says of a text. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import appearance from "../appearance";
import { makePrediction, type PredictionDocument } from "../client";
import { answerOf } from "./call";

export type Prediction = PredictionDocument;

/** Next words of a language model beside those that were named: as many as it says unasked. */
const LIKELY = appearance.next_words.count;

/** `words` are next words that a language model is to look at besides the likely ones. Asked anew for every text and model; the one before stays in view until the new one is here. */
export function usePrediction(text: string | null, model: string, words: readonly string[] = []) {
  return useQuery({
    queryKey: ["prediction", model, text, words],
    queryFn: ({ signal }) =>
      answerOf(
        makePrediction({
          body: { model, text: text ?? "", ...(words.length > 0 && { outcomes: [...words], count: LIKELY }) },
          signal,
        }),
      ),
    enabled: model !== "" && text !== null && text.trim() !== "",
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
