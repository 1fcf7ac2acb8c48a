type Props = { words: Record<string, number>; least: number; most: number };

const LONGEST_DRAWN = 60;

/** How many texts have which length; those outside the limits are pale. */
export function Lengths({ words, least, most }: Props) {
  const lengths = Object.keys(words).map(Number);
  const longest = Math.min(LONGEST_DRAWN, Math.max(...lengths, 1));
  const tallest = Math.max(...Object.values(words), 1);
  const bars = Array.from({ length: longest }, (_, index) => index + 1);
  return (
    <figure className="lengths">
      <svg
        viewBox={`0 0 ${longest * 10} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Texts by length in words"
      >
        {bars.map((length) => {
          const height = (96 * (words[length] ?? 0)) / tallest;
          return (
            <rect
              key={length}
              className={length >= least && length <= most ? "within" : "outside"}
              x={(length - 1) * 10 + 1}
              y={100 - height}
              width={8}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption className="hint">
        <span>1 word</span>
        <span>
          {longest} words{Math.max(...lengths, 1) > longest && " and longer"}
        </span>
      </figcaption>
    </figure>
  );
}
