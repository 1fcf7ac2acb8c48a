import { problemOf } from "../service/problem";

/** What went wrong, in the server's words; nothing where nothing did. */
export function Problem({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p className="problem" role="alert">
      {problemOf(error).detail}
    </p>
  );
}
