/** Text as its author wrote it: an empty line starts a paragraph, lines that start with a dash are a list. No markup. */
export function Prose({ children }: { children: string }) {
  const paragraphs = children.trim().split(/\n\s*\n/);
  return (
    <div className="prose">
      {paragraphs.map((paragraph) => {
        const lines = paragraph.split("\n");
        return lines.every((line) => /^\s*[-•]\s/.test(line)) ? (
          <ul key={paragraph}>
            {lines.map((line) => (
              <li key={line}>{line.replace(/^\s*[-•]\s/, "")}</li>
            ))}
          </ul>
        ) : (
          <p key={paragraph}>{paragraph}</p>
        );
      })}
    </div>
  );
}
