/** How much of something is done, as a bar and in numbers. */
export function Meter({
  label,
  done,
  total,
  unit,
}: {
  label: string;
  done: number;
  total: number;
  unit: string;
}) {
  return (
    <div className="meter">
      <div
        className="meter-track"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <span style={{ inlineSize: `${total === 0 ? 0 : Math.min(100, (100 * done) / total)}%` }} />
      </div>
      <span className="meter-words">
        {done.toLocaleString("en")} of {total.toLocaleString("en")} {unit}
      </span>
    </div>
  );
}
