type Props = { done: number; total: number; practice?: boolean };

/** A thin line across the top, and the count in words. */
export function Progress({ done, total, practice = false }: Props) {
  const words = practice ? `Practice ${done + 1} of ${total}` : `${Math.min(done + 1, total)} of ${total}`;
  return (
    <div className={practice ? "progress practising" : "progress"}>
      <div
        className="progress-track"
        role="progressbar"
        aria-label={practice ? "Practice" : "Progress"}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <span style={{ inlineSize: `${total === 0 ? 0 : (100 * done) / total}%` }} />
      </div>
      <p className="progress-words">{words}</p>
    </div>
  );
}
