"""The page of verdicts: a table for each paper, what it comes to in a sentence, and what speaks against ourselves."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchmarks.verdicts.against_us import against_us
from benchmarks.verdicts.evidence import Evidence
from benchmarks.verdicts.judge import Judged

HEAD = """# The papers' claims, put to the test

Written by `make verdicts`. Every claim is one comparison, on models that ship with the project (MiniLM stands for BERT,
SmolLM2 for GPT-2). *Held*: better in the claimed direction at 5 %, after Holm's correction over all claims of the same
paper. *Did not hold*: worse, by the same rule. *Undecided*: neither; that is no proof that both are equal. The papers'
numbers are of their models and their data, and stand here to compare directions, not digits.

The difference is the first mean minus the second, with a 95 % bootstrap interval; n is how many units were compared,
and behind it how many were left out because one side has no number for them. Tests are two-sided:

- two conditions on the same texts: sign flips of their differences;
- training texts and new ones: they are dealt out anew;
- a score of a word of contrast: any node of the same text is put in its place;
- (not, good): its rank among random pairs of words, which are the unit;
- yes or no against one half: the exact binomial test; other means against a constant: the bootstrap.
"""

ABOUT: dict[str, str] = {
    "HEDGE": "*Generating hierarchical explanations on text classification via feature interaction detection* (Chen, "
    "Zheng & Ji, 2020): its hierarchies rank words better than six other methods, and its phrases hold together.",
    "ASIV": "*Asymmetric feature interaction for interpreting model predictions* (Lu et al., 2023): directed "
    "interactions rank words better, and what stands in for absent words decides.",
    "Edin et al.": "Normalised AOPC (2025): their table has occlusion first.",
    "LS-Tree": "*LS-Tree: model interpretation when the data are linguistic* (Chen & Jordan, 2019): what its scores "
    "say of models.",
    "MAHE": "*Can I trust you more? Model-agnostic hierarchical explanations* (2019): interactions make local "
    "fits better, mean the same in other contexts, and can be edited.",
    "SHAP thesis": "*Explanation of neural language models using SHAP*: what its tables say of next words, over many "
    "passages.",
}


def page(
    found: Sequence[Judged],
    evidence: Evidence,
    notes: Mapping[str, Sequence[str]],
    missing: Sequence[str],
    source: str,
) -> str:
    """`notes` are by paper; `missing` says what would have to be given or run for the claims that are not measured."""
    families = list(dict.fromkeys(each.claim.family for each in found))
    parts = [HEAD, f"{source} Of {len(found)} claims {counted(found)}.\n"]
    if missing:
        parts.append("Not measured yet: " + "; ".join(missing) + ".\n")
    for family in families:
        own = [each for each in found if each.claim.family == family]
        parts += [f"## {family}\n", f"{ABOUT.get(family, '')}\n", f"{summary(own)}\n", table(own)]
        if notes.get(family):
            parts.append("".join(f"- {note}\n" for note in notes[family]))
    parts += ["## What speaks against us\n", "".join(f"- {each}\n" for each in against_us(found, evidence))]
    return "\n".join(parts)


def counted(found: Sequence[Judged]) -> str:
    count = Counter(each.verdict for each in found)
    return (
        f"{count['held']} held, {count['did not hold']} did not hold, {count['undecided']} are undecided, "
        f"{count['not measured']} were not measured"
    )


def summary(own: Sequence[Judged]) -> str:
    """A paper in a sentence: the counts, and which tables they come from."""
    measured = [each for each in own if each.verdict != "not measured"]
    if not measured:
        return "Nothing of it was measured here."
    count = Counter(each.verdict for each in measured)
    told = [f"{count['held']} of {len(measured)} measured claims held"]
    if count["did not hold"]:
        told.append(f"{count['did not hold']} did not: the opposite is the case")
    if count["undecided"]:
        told.append(f"{count['undecided']} cannot be told from chance here")
    said = "; ".join(told)
    left = len(own) - len(measured)
    return f"**{said}.**" + (f" Not measured: {left}." if left else "")


def table(own: Sequence[Judged]) -> str:
    said = [
        "| where | claim | measure | the paper's | ours | difference | n (left out) | p | verdict |\n",
        "|---|---|---|---|---|---|---|---|---|\n",
    ]
    for each in own:
        claim, outcome = each.claim, each.outcome
        share = f" at {claim.percent} %" if claim.percent is not None else ""
        cells = [
            claim.paper.removeprefix(f"{claim.family}, "),
            claim.says,
            f"`{claim.measure}`{share}",
            f"{_number(claim.first.published)} / {_number(claim.second.published)}",
            "–" if outcome is None else f"{_number(outcome.first)} / {_number(outcome.second)}",
            _interval(each),
            "–" if outcome is None else f"{outcome.difference.n} ({each.left_out})",
            "–" if each.corrected is None else _p(each.corrected),
            f"**{each.verdict}**",
        ]
        said.append(f"| {' | '.join(cells)} |\n")
    return "".join(said)


def _interval(each: Judged) -> str:
    found = None if each.outcome is None else each.outcome.difference
    if found is None or found.mean is None:
        return "–"
    if found.low is None:
        return _number(found.mean)
    return f"{_number(found.mean)} [{_number(found.low)}, {_number(found.high)}]"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
