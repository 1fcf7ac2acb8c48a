"""What held and what did not, as a page of the documentation."""

from pathlib import Path

from benchmarks.report import _markdown
from benchmarks.sections import Rows
from benchmarks.thesis.claims import estimate, share_of_last, table, zeros
from benchmarks.thesis.measured import Explained, Run

PAGE = Path(__file__).parents[2] / "docs" / "thesis.md"

OPENING = """# SHAP values of next words, tested again

Written by `make thesis` (`python -m benchmarks.thesis`) from {count} beginnings of paragraphs of WikiText-2's test
part, which none of the models was trained on: {context} words each, and the word that came next.

"Explanation of neural language models using SHAP" explains the next words of an LSTM and of GPT-2 on a few passages of
Wikipedia and reads some things out of its tables. Here they are asked of many passages, with 95 % intervals from
resampled passages. The models are those that are shipped, `word-lstm-lm` and `smollm2`, with so many coalitions for
each passage. Words are the players, an absent word is hidden (`pad`: the stand-in does not depend on the words that are
present, so values are interventional), and values are log-odds. An estimate from few coalitions has noise on every
word, which takes from the share of the last ones: the LSTM is there with both budgets to show how much.
"""


def rows(found: dict[Run, list[Explained]]) -> Rows:
    columns = tuple(f"{run.model} {run.budget}" for run in found)
    return Rows("", ("", *columns), table(dict(zip(columns, found.values(), strict=True))))


def verdicts(found: dict[Run, list[Explained]]) -> list[str]:
    """Each claim with what the numbers say, in words that follow from the numbers."""
    said = []
    for run, each in found.items():
        two = estimate([share_of_last(one.predicted, 2) for one in each])
        nothing = estimate([zeros(one.predicted) for one in each])
        wrong = [one for one in each if not one.right and one.real]
        against = estimate([float(one.real[-1] < 0) for one in wrong])
        name = f"**{run.model}** ({run.budget} coalitions)"
        evenly = 2 / len(each[0].predicted)
        said += [
            f"- {name}: that the last words matter most {_held(two.low > evenly)}: the last two have {two} of all "
            f"absolute value, where two of all words would have {evenly:.2f} by chance"
            + (", but not most of it." if two.high < 0.5 else ", most of it." if two.low > 0.5 else "."),
            f"- {name}: that far words are exactly zero (the thesis' LSTM) {_held(nothing.low > 0.5)}: "
            f"{nothing.mean:.1%} of the values are. That none is (its GPT-2) {_held(nothing.high < 0.001)}.",
            f"- {name}: that the last word speaks against the real word where another one was predicted "
            f"{_held(against.low > 0.5, against.high < 0.5)}: it does in {against} of {against.of} passages.",
        ]
    return said


def _held(yes: bool, no: bool | None = None) -> str:
    if yes:
        return "held"
    return "did not hold" if no is None or no else "cannot be decided from so many passages"


def write(found: dict[Run, list[Explained]], count: int, context: int) -> None:
    parts = [OPENING.format(count=count, context=context), _markdown(rows(found)), "## What held, and what did not\n"]
    PAGE.write_text("\n".join([*parts, *verdicts(found), ""]), encoding="utf-8")
