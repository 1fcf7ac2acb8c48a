import { useCallback, useEffect, useState } from "react";

/** Milliseconds a whole ladder takes to play, and the fewest and most that a level stays. */
const [WHOLE, SHORTEST, LONGEST] = [9000, 120, 800];

/** The level being looked at: none at first, then wherever scrubbing or playing leads. */
export function useScrub(levels: number) {
  const [level, set] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);

  useEffect(() => {
    if (!playing) return;
    const pause = Math.max(SHORTEST, Math.min(LONGEST, WHOLE / Math.max(1, levels)));
    const timer = setInterval(() => set((now) => Math.min(levels - 1, (now ?? -1) + 1)), pause);
    return () => clearInterval(timer);
  }, [playing, levels]);

  useEffect(() => {
    if (playing && level !== null && level >= levels - 1) setPlaying(false);
  }, [playing, level, levels]);

  const scrub = useCallback((next: number | null) => {
    setPlaying(false);
    set(next);
  }, []);
  const play = useCallback(() => {
    // At the end, playing begins again.
    set((now) => (now === null || now >= levels - 1 ? 0 : now));
    setPlaying((now) => !now);
  }, [levels]);

  return { level: level === null ? null : Math.min(level, levels - 1), playing, scrub, play };
}
