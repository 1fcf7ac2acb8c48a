/** Calls about edits, and the queries that keep a page up to date. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import * as client from "../../client";
import { answerOf } from "../../service/call";
import { useCatalog } from "../../service/catalog";
import { LIVE, running } from "../api";
import type { EditDesign, EditDocument } from "../documents";

const at = (edit: string) => ({ path: { edit } });

export const useEdits = () =>
  useQuery({
    queryKey: ["edits"],
    queryFn: ({ signal }) => answerOf(client.listEdits({ signal })),
    refetchInterval: ({ state }) => (state.data?.edits.some(running) ? LIVE : false),
  });

export const useEdit = (id: string) =>
  useQuery({
    queryKey: ["edits", id],
    queryFn: ({ signal }) => answerOf(client.showEdit({ ...at(id), signal })),
    refetchInterval: ({ state }) => (running(state.data) ? LIVE : false),
  });

export const useEditResults = (id: string, run: EditDocument | undefined) =>
  useQuery({
    queryKey: ["edits", id, "results"],
    queryFn: ({ signal }) => answerOf(client.showEditResults({ ...at(id), signal })),
    enabled: run?.status === "finished",
  });

/** What an edit would take. Null where there is nothing to ask about yet. */
export const useEditPlan = (design: EditDesign | null) =>
  useQuery({
    queryKey: ["edit plan", design],
    queryFn: ({ signal }) => answerOf(client.planEdit({ body: design as EditDesign, signal })),
    enabled: design !== null,
    placeholderData: (before) => (design ? before : undefined),
  });

/** The catalog is asked once: it is asked again where a model has come that it does not have. */
export function useListed(model: string | null | undefined) {
  const queries = useQueryClient();
  const { data } = useCatalog();
  const missing = Boolean(model && data && !data.models.some(({ name }) => name === model));
  useEffect(() => {
    if (missing) queries.invalidateQueries({ queryKey: ["catalog"] });
  }, [missing, queries]);
}

export function useEditActions() {
  const queries = useQueryClient();
  const fresh = () => queries.invalidateQueries({ queryKey: ["edits"] });
  const gone = () => {
    queries.invalidateQueries({ queryKey: ["catalog"] });
    return fresh();
  };
  return {
    create: useMutation({
      mutationFn: (design: EditDesign) => answerOf(client.createEdit({ body: design })),
      onSuccess: fresh,
    }),
    cancel: useMutation({
      mutationFn: (id: string) => answerOf(client.cancelEdit(at(id))),
      onSuccess: fresh,
    }),
    undo: useMutation({
      mutationFn: async (model: string) => {
        const { response, error } = await client.undoEdit({ path: { model } });
        if (!response?.ok) throw error;
      },
      onSuccess: gone,
    }),
    remove: useMutation({
      mutationFn: async (id: string) => {
        const { response, error } = await client.deleteEdit(at(id));
        if (!response?.ok) throw error;
      },
      onSuccess: gone,
    }),
  };
}
