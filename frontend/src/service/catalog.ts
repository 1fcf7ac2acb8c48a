/** What the server offers, asked once. */
import { useQuery } from "@tanstack/react-query";
import {
  type CatalogDocument,
  type CatalogMethod,
  type CatalogModel,
  type SampleDocument,
  showCatalog,
} from "../client";
import { answerOf } from "./call";

export type Catalog = CatalogDocument;
export type ModelEntry = CatalogModel;
export type SampleEntry = SampleDocument;
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
}

export function settingsOf(method: MethodEntry): Record<string, PropertySchema> {
  const { properties } = method.parameters as { properties?: Record<string, PropertySchema> };
  return properties ?? {};
}

/** The methods of a view that can explain a model: some look inside, which not every model lets. */
export function methodsFor(catalog: Catalog, view: string, model: string): MethodEntry[] {
  return catalog.methods.filter((method) => method.view === view && method.models.includes(model));
}

export function useCatalog() {
  return useQuery({
    queryKey: ["catalog"],
    queryFn: ({ signal }) => answerOf(showCatalog({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
