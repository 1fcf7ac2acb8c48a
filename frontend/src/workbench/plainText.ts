import { createElement, type FC } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

/** The words of a component, for files that have no components. */
export function plainText(Component: FC): string {
  const stage = document.createElement("div");
  const root = createRoot(stage);
  flushSync(() => root.render(createElement(Component)));
  const words = [...stage.querySelectorAll("p, li, dd, dt")].map((element) => element.textContent ?? "");
  const text = words.length > 0 ? words.join(" ") : (stage.textContent ?? "");
  root.unmount();
  return text;
}
