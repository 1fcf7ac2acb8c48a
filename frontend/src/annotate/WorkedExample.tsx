import { CoherenceScreen } from "./CoherenceScreen";
import type { Example, Option } from "./documents";

/** A task already answered, with the reason: read, not pressed. */
export function WorkedExample({ example, options }: { example: Example; options: Option[] }) {
  const answers = Object.fromEntries(example.lines.map(({ letter, answer }) => [letter, answer]));
  return (
    <figure className="example">
      <figcaption>Example</figcaption>
      <CoherenceScreen
        text={example.text}
        lines={example.lines}
        options={options}
        answers={answers}
        active={null}
        onAnswer={() => {}}
      />
      <p className="why">{example.why}</p>
    </figure>
  );
}
