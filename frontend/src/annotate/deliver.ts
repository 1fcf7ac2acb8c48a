/** Bringing an answer to the server: tried until it arrives, because nothing moves on before it is kept. */

import { problemOf, refused } from "../service/problem";
import type { Saving } from "./SavingState";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

export const pauseBefore = (attempt: number) => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));

/** Until the pause is over, or the browser says that it is back online. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener("online", end);
  });
}

/** Sends until the server takes or refuses it, telling the page how it goes. */
export async function deliver<T>(
  send: () => Promise<T>,
  tell: (saving: Saving) => void,
  wait: (milliseconds: number) => Promise<void> = pause,
): Promise<T> {
  tell({ state: "saving" });
  for (let attempt = 1; ; attempt++) {
    try {
      const received = await send();
      tell({ state: "saved" });
      return received;
    } catch (error) {
      if (refused(error)) {
        tell({ state: "idle" });
        throw error;
      }
      tell({ state: "retrying", attempt, reason: reasonOf(error) });
      await wait(pauseBefore(attempt));
    }
  }
}

/** Said to somebody who cannot do anything about the server. */
function reasonOf(error: unknown): string {
  const { code, detail } = problemOf(error);
  return code === "unreachable" ? "no connection" : detail;
}
