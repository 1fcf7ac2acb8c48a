/** Results as the server sends them, for tests of the pictures. The shares are those of HEDGE's Table 4. */

import type { ResultsDocument } from "../documents";

const share = (count: number, of: number, low: number, high: number) => ({
  count,
  of,
  share: count / of,
  low,
  high,
});

export const EXAMPLE: ResultsDocument = {
  study: "s1",
  title: "HEDGE against LIME",
  protocol: "coherence",
  simulated: false,
  people: 9,
  answers: 200,
  exclusions: [{ rule: "fast", applied: true, people: 1, answers: 3, says: "Answers faster than 1 second" }],
  coherence: [
    {
      model: "imdb-lstm",
      method: "hedge",
      coherent: share(89, 100, 0.8137, 0.9376),
      no_guess: 4,
      items: 100,
      item_low: 0.82,
      item_high: 0.95,
      median_milliseconds: 5200,
    },
    {
      model: "imdb-lstm",
      method: "lime",
      coherent: share(85, 100, 0.7669, 0.9069),
      no_guess: 6,
      items: 100,
      item_low: 0.77,
      item_high: 0.91,
      median_milliseconds: 5300,
    },
  ],
  comparisons: [
    {
      family: "methods",
      within: "imdb-lstm",
      first: "hedge",
      second: "lime",
      items: 100,
      difference: 0.04,
      low: -0.05,
      high: 0.13,
      only_first: 9,
      only_second: 5,
      mcnemar: 0.424,
      mcnemar_holm: 0.424,
      bootstrap: 0.38,
      bootstrap_holm: 0.38,
    },
  ],
  preference: [],
  agreement: { units: 200, ratings: 600, alpha: 0.61, fleiss: null },
  times: { median: 5200, lower_quartile: 3100, upper_quartile: 8900 },
  attention: share(8, 9, 0.565, 0.98),
  items: [],
  paragraph: "Nine people judged 100 texts.",
  seed: 7,
};
