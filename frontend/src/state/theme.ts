/** Light or dark: the system's choice until the reader makes another, which is then kept. */
import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const KEY = "espalier.theme";
const dark = () => window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** What was chosen on this page where the browser keeps nothing; undefined where it does. */
let unkept: Theme | null | undefined;

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, currentTheme), chooseTheme];
}

export function currentTheme(): Theme {
  return kept() ?? (dark().matches ? "dark" : "light");
}

/** What is chosen is written on the page's root, where the style sheet finds it. */
export function applyTheme(): void {
  const chosen = kept();
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}

export function chooseTheme(theme: Theme): void {
  // Choosing what the system says anyway means to follow the system.
  const own = theme === (dark().matches ? "dark" : "light") ? null : theme;
  try {
    if (own === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, own);
    unkept = undefined;
  } catch {
    // Storage is full or forbidden: the choice lasts as long as the page.
    unkept = own;
  }
  applyTheme();
  for (const listener of listeners) listener();
}

function kept(): Theme | null {
  if (unkept !== undefined) return unkept;
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    // Storage can be forbidden; the system's choice remains.
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  const query = dark();
  listeners.add(listener);
  query.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    query.removeEventListener("change", listener);
  };
}
