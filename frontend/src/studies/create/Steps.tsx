import { Button } from "../../controls/Button";

type Props = { names: string[]; current: number; reachable: number; onGo: (step: number) => void };

/** Where one is in the form. Steps already seen can be gone back to. */
export function Steps({ names, current, reachable, onGo }: Props) {
  return (
    <nav aria-label="Steps" className="steps">
      <ol>
        {names.map((name, index) => (
          <li key={name}>
            <Button
              kind="bare"
              aria-current={index === current ? "step" : undefined}
              disabled={index > reachable}
              onClick={() => onGo(index)}
            >
              <span className="step-number">{index + 1}</span>
              <span className="step-name">{name}</span>
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
