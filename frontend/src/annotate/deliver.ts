/** Bringing an answer to the server: tried until it arrives, because nothing moves on before it is kept. */

import type { Saving } from "./SavingState";

/** The server understood and refused: asking again would not help. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly type = "",
  ) {
    super(message);
  }
}

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
      if (error instanceof Refused) {
        tell({ state: "idle" });
        throw error;
      }
      tell({ state: "retrying", attempt, reason: error instanceof Error ? error.message : String(error) });
      await wait(pauseBefore(attempt));
    }
  }
}
