import type { ReactNode } from "react";

/** A wide table on a narrow screen: it can be reached and moved with the keyboard, too. */
export function Scroll({ name, children }: { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="scroll" aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
