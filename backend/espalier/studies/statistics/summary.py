"""All results of a study, from its raw rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from espalier.statistics.paired import majority
from espalier.statistics.shares import share
from espalier.studies.design import StudyDesign
from espalier.studies.results import ItemResult, ResultsDocument, Rule, Times
from espalier.studies.statistics.agreement import agreement
from espalier.studies.statistics.coherence import coherence, comparisons
from espalier.studies.statistics.judgements import Judgement, count
from espalier.studies.statistics.paragraph import paragraph
from espalier.studies.statistics.preference import preference


def summarise(
    study: str,
    design: StudyDesign,
    seed: int,
    rows: Sequence[Judgement],
    *,
    simulated: bool = False,
    excluded: Iterable[int] = (),
    keep: Iterable[Rule] = (),
) -> ResultsDocument:
    """The same rows and the same seed always give the same document."""
    counted = count(
        rows,
        simulated=simulated,
        excluded=excluded,
        minimum_milliseconds=design.minimum_milliseconds,
        keep=keep,
    )
    found = counted.judgements
    is_coherence = design.protocol == "coherence"
    results = ResultsDocument(
        study=study,
        title=design.title,
        protocol=design.protocol,
        simulated=simulated,
        people=len({row.person for row in found}),
        answers=len(found),
        exclusions=list(counted.exclusions),
        coherence=coherence(found, design.models, design.methods, seed) if is_coherence else [],
        comparisons=comparisons(found, design.models, design.methods, seed) if is_coherence else [],
        preference=[] if is_coherence else preference(found, design.models, (design.methods[0], design.methods[1])),
        agreement=agreement(found),
        times=_times(found),
        attention=share(sum(row.passed for row in counted.checks), len(counted.checks)),
        items=item_results(found, is_coherence),
        paragraph="",
        seed=seed,
    )
    results.paragraph = paragraph(design, results)
    return results


def _times(rows: Sequence[Judgement]) -> Times:
    """Of screens: the lines of one screen share its time."""
    screens = list({row.task: row.milliseconds for row in rows}.values())
    if not screens:
        return Times(median=None, lower_quartile=None, upper_quartile=None)
    lower, median, upper = np.quantile(screens, [0.25, 0.5, 0.75])
    return Times(median=float(median), lower_quartile=float(lower), upper_quartile=float(upper))


def item_results(rows: Sequence[Judgement], is_coherence: bool) -> list[ItemResult]:
    """The votes of every item, in the order of sentences, models and methods."""
    groups: dict[tuple[int, str, str], list[Judgement]] = defaultdict(list)
    for row in rows:
        groups[row.sentence, row.model, row.method if is_coherence else ""].append(row)
    results = []
    for (_, model, method), votes in sorted(groups.items(), key=lambda group: group[0]):
        said = [row.answer if is_coherence else row.method for row in votes]
        results.append(
            ItemResult(
                item=votes[0].item,
                text=votes[0].text,
                model=model,
                method=method or None,
                votes=dict(Counter(said)),
                prediction=votes[0].prediction,
                majority=majority(said),
            )
        )
    return results
