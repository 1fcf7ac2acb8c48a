/** What is on show: every picture offers itself here, and exports take what they need. */
import { createContext, useContext } from "react";
import type { Figure } from "../share/caption";
import type { Framing } from "../share/svg";
import { VIEW_NAMES } from "../views/registry";
import type { Table } from "../views/view";

export interface Shown extends Figure {
  draw(framing: Omit<Framing, "title">): string;
  table: Table;
  howToRead: string;
}

export class Exhibits {
  #offers = new Map<string, () => Shown | null>();

  offer(name: string, look: () => Shown | null): () => void {
    this.#offers.set(name, look);
    return () => {
      if (this.#offers.get(name) === look) this.#offers.delete(name);
    };
  }

  at(name: string): Shown | null {
    return this.#offers.get(name)?.() ?? null;
  }

  /** Everything on show, in the order of the views, whatever order the pictures came in. */
  all(): Shown[] {
    const places = Array.from({ length: this.#offers.size }, (_, place) => place);
    return VIEW_NAMES.flatMap((view) => places.flatMap((place) => this.at(`${view}-${place}`) ?? []));
  }
}

export const ExhibitsContext = createContext(new Exhibits());

export function useExhibits(): Exhibits {
  return useContext(ExhibitsContext);
}
