/** What was explained in this browser, newest first. It stays in the browser: nothing of it is sent anywhere. */
import { useSyncExternalStore } from "react";
import { type Address, writeSearch } from "./address";

export interface Entry {
  address: Address;
  /** The sentence, for the list. */
  text: string;
  model: string;
  /** What the model said of it. */
  label: string;
  probability: number;
  /** ISO 8601. */
  time: string;
}

const KEY = "espalier.history";
const MOST = 50;
/** A text longer than this would fill the browser's storage; its link is in the address bar all the same. */
const LONGEST = 5000;

const listeners = new Set<() => void>();
let entries: readonly Entry[] | null = null;

export function remember(entry: Entry): void {
  if (entry.text.length > LONGEST) return;
  const same = (other: Entry) => writeSearch(other.address) === writeSearch(entry.address);
  keep([entry, ...recall().filter((other) => !same(other))].slice(0, MOST));
}

export function forgetAll(): void {
  keep([]);
}

export function recall(): readonly Entry[] {
  entries ??= read();
  return entries;
}

export function useHistory(): readonly Entry[] {
  return useSyncExternalStore(subscribe, recall);
}

/** For when another tab wrote: what is known is read again. */
export function refresh(): void {
  entries = null;
  for (const listener of listeners) listener();
}

function keep(kept: readonly Entry[]): void {
  entries = kept;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden: the history lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function read(): readonly Entry[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Entry> | null;
  return (
    typeof entry?.text === "string" &&
    typeof entry.model === "string" &&
    typeof entry.label === "string" &&
    typeof entry.probability === "number" &&
    typeof entry.time === "string" &&
    typeof entry.address === "object" &&
    entry.address !== null
  );
}

function subscribe(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent) => {
    if (event.key === KEY) refresh();
  };
  listeners.add(listener);
  window.addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", elsewhere);
  };
}
