/** What the server offers, asked once. */
import { useQuery } from "@tanstack/react-query";
import { type CatalogDocument, type CatalogMethod, type CatalogModel, showCatalog } from "../client";
import { answerOf } from "./call";

export type Catalog = CatalogDocument;
export type ModelEntry = CatalogModel;
export type MethodEntry = CatalogMethod;

/** The part of JSON schema that the server writes for a method's settings. */
export interface PropertySchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: PropertySchema[];
  minimum?: number;
  maximum?: number;
  /** Whether this is the setting whose growth buys precision (the server's BUYS_PRECISION). */
  buys_precision?: boolean;
  /** The least of it that each player takes, where there is such a bound (the server's FOR_EACH_PLAYER). */
  for_each_player?: number;
  /** A value that does with much less work on sentences of so many words (the server's LONG_SENTENCES). */
  long_sentences?: { value: unknown; more_than: number; up_to: number };
}

export function settingsOf(method: MethodEntry): Record<string, PropertySchema> {
  const { properties } = method.parameters as { properties?: Record<string, PropertySchema> };
  return properties ?? {};
}

export function useCatalog() {
  return useQuery({
    queryKey: ["catalog"],
    queryFn: ({ signal }) => answerOf(showCatalog({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
