import type { ClassProbability } from "../api";

/** Probabilities of all classes, the most probable first. */
export function ClassBars({ classes }: { classes: ClassProbability[] }) {
  const ordered = [...classes].sort((a, b) => b.probability - a.probability);
  return (
    <ol className="bars" aria-label="Probability of each class">
      {ordered.map(({ name, probability }) => (
        <li key={name} data-class={name} data-probability={probability}>
          <span className="name">{name}</span>
          <span className="track">
            <span className="bar" style={{ inlineSize: `${probability * 100}%` }} />
          </span>
          <span className="number">{percent(probability)}</span>
        </li>
      ))}
    </ol>
  );
}

/** One decimal; what is not certain never reads as certain. */
export function percent(probability: number): string {
  if (probability > 0.9995 && probability < 1) return ">99.9%";
  if (probability < 0.0005 && probability > 0) return "<0.1%";
  return `${(probability * 100).toFixed(1)}%`;
}
