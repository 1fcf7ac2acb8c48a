import type { Making } from "../service/problem";

/** A model that is prepared once, before its first use: how far that is. */
export function MakingReady({ model, making }: { model: string; making: Making }) {
  const share = Math.min(1, making.done / making.count);
  return (
    <div className="making-ready" role="status" aria-live="off">
      <p>
        <strong>{model}</strong> is being made ready for its first use, once. This takes about half a minute;
        everything else goes on meanwhile.
      </p>
      <progress aria-label={`How far ${model} is`} max={1} {...(share > 0 && { value: share })} />
      <span>{share > 0 ? `${Math.round(100 * share)} %` : "starting…"}</span>
    </div>
  );
}
