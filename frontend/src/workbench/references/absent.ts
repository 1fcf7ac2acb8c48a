/** Words that are out when the panel opens: two of them, apart from each other, so that there is something to see. */
export function usualAbsent(words: number): number[] {
  if (words < 2) return [];
  const second = Math.min(1, words - 1);
  const late = Math.floor((2 * words) / 3);
  return late > second ? [second, late] : [second];
}

/** The same with one word out or back in. */
export function toggled(absent: readonly number[], word: number): number[] {
  return absent.includes(word)
    ? absent.filter((each) => each !== word)
    : [...absent, word].sort((a, b) => a - b);
}
