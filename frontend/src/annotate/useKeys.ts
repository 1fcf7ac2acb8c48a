import { useEffect, useRef } from "react";

/** Fields in which a key is a letter and not a command. */
const WRITES = "textarea, select, input:not([type=radio]):not([type=checkbox])";

/** Calls `press` for every plain key anywhere on the page; what it answers with true goes no further. */
export function useKeys(press: (key: string) => boolean): void {
  const current = useRef(press);
  useEffect(() => {
    current.current = press;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target instanceof Element ? event.target : null;
      // Enter on a button or a link is for that button.
      if (target?.closest(WRITES) || (event.key === "Enter" && target?.closest("button, a, summary"))) return;
      // Arrows inside a group of radio buttons move between its buttons.
      if (event.key.startsWith("Arrow") && target?.closest("fieldset")) return;
      if (current.current(event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
