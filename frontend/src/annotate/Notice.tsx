import type { ReactNode } from "react";

/** A page with nothing to do on it: closed, full, paused, or something that went wrong. */
export function Notice({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className="reading">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{children}</p>
      {action && <div className="forward">{action}</div>}
    </section>
  );
}
