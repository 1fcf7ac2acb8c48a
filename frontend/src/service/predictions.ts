/** What a model says of a text. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { makePrediction, type PredictionDocument } from "../client";
import { answerOf } from "./call";

export type Prediction = PredictionDocument;

/** Asked anew for every text and model; the one before stays in view until the new one is here. */
export function usePrediction(text: string | null, model: string) {
  return useQuery({
    queryKey: ["prediction", model, text],
    queryFn: ({ signal }) => answerOf(makePrediction({ body: { model, text: text ?? "" }, signal })),
    enabled: text !== null && text.trim() !== "",
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
