import { Choices } from "./Choices";
import type { Option } from "./documents";
import type { Answers } from "./task";

type Props = {
  text: string;
  lines: { letter: string; phrase: string }[];
  options: Option[];
  answers: Answers;
  /** The line that the number keys answer; null where nothing can be answered, as in the worked example. */
  active: string | null;
  onAnswer: (letter: string, value: string) => void;
};

/** The text, then one line for each phrase, each with the classes to guess from. */
export function CoherenceScreen({ text, lines, options, answers, active, onAnswer }: Props) {
  const several = lines.length > 1;
  return (
    <>
      <blockquote className="passage">{text}</blockquote>
      <ol className="lines">
        {lines.map(({ letter, phrase }) => (
          <li
            key={letter}
            className={several && active === letter ? "line active" : "line"}
            data-line={letter}
          >
            <p className="phrase-line">
              {several && <span className="letter">{letter}</span>}
              <q className="shown-phrase">{phrase}</q>
            </p>
            <Choices
              question={`${letter}. What did the program say, judging by “${phrase}”?`}
              options={options}
              chosen={answers[letter] ?? null}
              onChoose={(value) => onAnswer(letter, value)}
              keys={active === letter}
              disabled={active === null}
            />
          </li>
        ))}
      </ol>
    </>
  );
}
