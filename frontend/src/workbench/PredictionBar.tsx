import { Button } from "../controls/Button";
import type { Prediction } from "../service/predictions";
import { percent } from "./percent";

interface Props {
  prediction: Prediction;
  target: string;
  onTarget(name: string): void;
}

/** All classes with their probabilities; the one that is explained is pressed, and any other can be. */
export function PredictionBar({ prediction, target, onTarget }: Props) {
  const many = prediction.classes.length > 3;
  return (
    <fieldset className="classes" data-many={many}>
      <legend className="unseen">Class to explain</legend>
      {prediction.classes.map(({ name, probability }) => (
        <Button
          kind="bare"
          key={name}
          className="class"
          aria-pressed={name === target}
          data-class={name}
          data-probability={probability}
          onClick={() => onTarget(name)}
        >
          <span className="class-name">{name}</span>
          <span className="class-share">{percent(probability)}</span>
          <span className="class-track">
            <span className="class-bar" style={{ inlineSize: `${probability * 100}%` }} />
          </span>
        </Button>
      ))}
    </fieldset>
  );
}
