/** The question in the address bar, and how to change it. Every change is a step that the back button undoes. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useRef } from "react";
import { fromAddress, toAddress } from "./address";
import type { Question, Start } from "./question";

export type Ask = (change: Partial<Question>, how?: { replace?: boolean }) => void;

export function useQuestion(start: Start): [Question, Ask] {
  const address = useSearch({ strict: false });
  const navigate = useNavigate();
  const question = useMemo(() => fromAddress(address, start), [address, start]);
  const latest = useRef(question);
  latest.current = question;
  const ask = useCallback<Ask>(
    (change, how) => {
      latest.current = { ...latest.current, ...change };
      void navigate({
        to: "/",
        search: toAddress(latest.current),
        replace: how?.replace ?? false,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [question, ask];
}
