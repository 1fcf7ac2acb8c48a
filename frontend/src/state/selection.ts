/**
 * What is pointed at and what is chosen, in words, for all pictures at once. A store beside React's state: pointing
 * must redraw the pictures and nothing else.
 */

import { createContext, useContext, useSyncExternalStore } from "react";
import { type Selection, type Span, sameSpan } from "../spans";

export class SelectionStore {
  #now: Selection;
  #listeners = new Set<() => void>();
  #pointed: Span | null = null;
  #frame: number | null = null;

  constructor(selected: Span | null = null) {
    this.#now = { hovered: null, selected };
  }

  get now(): Selection {
    return this.#now;
  }

  /** Told once a frame: on its way to a mark a pointer leaves and enters others, and none of that need be drawn. */
  hover = (hovered: Span | null): void => {
    this.#pointed = hovered;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      if (!sameSpan(this.#pointed, this.#now.hovered)) this.#set({ ...this.#now, hovered: this.#pointed });
    });
  };

  select = (selected: Span | null): void => {
    if (!sameSpan(selected, this.#now.selected)) this.#set({ ...this.#now, selected });
  };

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(now: Selection): void {
    this.#now = now;
    for (const listener of this.#listeners) listener();
  }
}

export const SelectionContext = createContext(new SelectionStore());

export function useSelectionStore(): SelectionStore {
  return useContext(SelectionContext);
}

export function useSelection(): Selection {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => store.now);
}
