"""What speaks against our own choices: which verdicts hang on them, and what no number here can say."""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.verdicts.evidence import Evidence
from benchmarks.verdicts.judge import SIGNIFICANT, Judged, corrected, judged
from benchmarks.verdicts.rankings import OTHERWISE

ALWAYS = (
    "The models are small and ours: a claim that does not hold on MiniLM may hold on BERT, and one that holds here may "
    "not hold there. The methods are our implementations of what the papers say.",
    "The texts are sentences of film reviews. Nothing is said of longer texts, other tasks or other languages.",
    "LS-Tree's trees come from the project's own parser, not from the treebank.",
    "The settings of an edit were chosen on (not, good), before these numbers were made, and judged on (not, funny); "
    "but its accuracy is counted on the same sentences then and now.",
    "Random pairs of words are as frequent as (not, good) is in a corpus that was chosen to have it often. Frequent "
    "pairs are pairs of small words.",
    "ASIV under four references is asked with 512 coalitions and on fewer texts than everything else.",
)


def against_us(found: Sequence[Judged], evidence: Evidence) -> list[str]:
    return [*_whole_page(found), *_other_operator(found, evidence), *_too_few(found), *ALWAYS]


def _whole_page(found: Sequence[Judged]) -> list[str]:
    """Each paper is a family of its own. Had all claims been corrected for together, fewer would be decided."""
    together = corrected(found, ["page"] * len(found))
    lost = [
        each.claim.says
        for each, strict in zip(found, together, strict=True)
        if each.verdict in ("held", "did not hold") and strict.verdict == "undecided"
    ]
    if not lost:
        return ["Corrected over the whole page instead of paper by paper, no verdict changes."]
    return [
        f"Corrected over the whole page instead of paper by paper, {len(lost)} would be undecided: {_listed(lost)}."
    ]


def _other_operator(found: Sequence[Judged], evidence: Evidence) -> list[str]:
    """The papers delete for AOPC and pad for log-odds. The other way round is as good a choice."""
    chosen = [each for each in found if each.claim.measure in OTHERWISE and each.outcome is not None]
    turned = judged([replace(each.claim, measure=OTHERWISE[each.claim.measure]) for each in chosen], evidence)
    pairs = [(before, after) for before, after in zip(chosen, turned, strict=True) if after.outcome is not None]
    if not pairs:
        return []
    other = [
        f"{before.claim.says}: {before.verdict}, then {after.verdict}"
        for before, after in pairs
        if before.verdict != after.verdict
    ]
    said = (
        f"With the other operator (AOPC by padding, log-odds by deleting) {len(other)} of {len(pairs)} verdicts change"
    )
    return [f"{said}." if not other else f"{said}: {_listed(other)}."]


def _too_few(found: Sequence[Judged]) -> list[str]:
    few = [each for each in found if each.outcome is not None and each.outcome.smallest >= SIGNIFICANT]
    return (
        [f"Too few units to decide anything, whatever comes out: {_listed([e.claim.says for e in few])}."]
        if few
        else []
    )


def _listed(said: Sequence[str]) -> str:
    return "; ".join(said)
