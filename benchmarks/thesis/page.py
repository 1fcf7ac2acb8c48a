"""What held and what did not, as a page of the documentation."""

from benchmarks import pages
from benchmarks.sections import Rows
from benchmarks.thesis.claims import estimate, share_of_last, table, zeros, zeros_left_out
from benchmarks.thesis.measured import Explained, Run

PAGE = pages.DOCS / "thesis.md"

OPENING = """# SHAP values of next words, tested again

{run}

Written by `make thesis` (`python -m benchmarks.thesis`) from {count} beginnings of paragraphs of WikiText-2's test
part: {context} words each, and the word that came next. The LSTM was not trained on them. The transformer was trained
on two trillion tokens of the web, of which these articles may well have been a part.

"Explanation of neural language models using SHAP" explains the next words of an LSTM and of GPT-2 on a few passages of
Wikipedia and reads some things out of its tables. Here they are asked of many passages, with 95 % intervals from
resampled passages. The models are those that are shipped, `word-lstm-lm` and `smollm2`, with so many coalitions for
each passage. Words are the players and values are log-odds. An absent word is hidden (`pad`): the stand-in does not
depend on the words that are present, so values are interventional, as the thesis' of GPT-2 are. Its values of the LSTM
are observational; for those, absent words of {conditional} of the passages are filled in by a masked language model
that reads the present ones (`conditional`). A prediction that is the first token of the word that came counts as right.

An estimate from few coalitions has noise on every word, which takes from the share of the last ones, and hardly ever is
exactly zero: the LSTM is there with two budgets to show how much, and values of one word left out at a time, which are
exact, say what sampling cannot.
"""


def rows(found: dict[Run, list[Explained]]) -> Rows:
    columns = tuple(run.name for run in found)
    return Rows("", ("", *columns), table(dict(zip(columns, found.values(), strict=True))))


def verdicts(found: dict[Run, list[Explained]]) -> list[str]:
    """Each claim with what the numbers say, in words that follow from the numbers."""
    said = []
    for run, each in found.items():
        two = estimate([share_of_last(one.predicted, 2) for one in each])
        nothing, exactly = estimate([zeros(one.predicted) for one in each]), zeros_left_out(each)
        wrong = [one for one in each if not one.right and one.real]
        against = estimate([float(one.real[-1] < 0) for one in wrong])
        name = f"**{run.model}** ({run.budget} coalitions, `{run.reference}`, {len(each)} passages)"
        evenly = 2 / len(each[0].predicted)
        said += [
            f"- {name}: that the last words matter most {_held(two.low > evenly)}: the last two have {two} of all "
            f"absolute value, where two of all words would have {evenly:.2f} by chance"
            + (", but not most of it." if two.high < 0.5 else ", most of it." if two.low > 0.5 else "."),
            f"- {name}: that far words are exactly zero (the thesis' LSTM) {_held(nothing.low > 0.5)}: "
            f"{nothing.mean:.1%} of the sampled values are"
            + (f", and {exactly.mean:.1%} of the exact ones of one word left out" if exactly.of else "")
            + f". That none is (its GPT-2) {_held(max(nothing.high, exactly.high if exactly.of else 0) < 0.001)}.",
            f"- {name}: that the last word speaks against the real word where another one was predicted "
            f"{_held(against.low > 0.5, against.high < 0.5)}: it does in {against} of {against.of} passages.",
        ]
    return said


def _held(yes: bool, no: bool | None = None) -> str:
    if yes:
        return "held"
    return "did not hold" if no is None or no else "cannot be decided from so many passages"


def write(found: dict[Run, list[Explained]], count: int, context: int, when: pages.Run) -> None:
    conditional = max(len(each) for run, each in found.items() if run.reference == "conditional")
    opening = OPENING.format(count=count, context=context, conditional=conditional, run=when)
    parts = [opening, pages.markdown(rows(found)), "## What held, and what did not\n", *verdicts(found), ""]
    PAGE.write_text("\n".join(parts), encoding="utf-8")
