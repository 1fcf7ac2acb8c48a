"""The numbers in sentences, for the methods section of a paper."""

from espalier.findings.wording import percent
from espalier.statistics.documents import Share
from espalier.studies.design import StudyDesign
from espalier.studies.results import Coherence, Preference, ResultsDocument


def paragraph(design: StudyDesign, results: ResultsDocument) -> str:
    """What was done, who was left out, and what was found, every number with its test named."""
    if results.answers == 0:
        return "No answers yet."
    says = [_rehearsal(results), _what(design, results), _left_out(results)]
    says += [_coherence(each) for each in results.coherence if each.model and each.method and each.coherent.of]
    says += [_comparisons(results)]
    says += [_preference(each) for each in results.preference if each.model or len(design.models) > 1]
    says += [_agreement(results), _seed(results)]
    return " ".join(each for each in says if each)


def _rehearsal(results: ResultsDocument) -> str:
    return "REHEARSAL WITH SIMULATED PARTICIPANTS, NOT DATA." if results.simulated else ""


def _what(design: StudyDesign, results: ResultsDocument) -> str:
    people, texts = _plural(results.people, "participant"), _plural(len({each.text for each in results.items}), "text")
    if design.protocol == "coherence":
        shown = "all explanations of a text on one screen" if design.screen == "together" else "one explanation a text"
        task = (
            "guessed the model's prediction from the highest-scored phrase of at most five words "
            f"({shown}, in the order of a balanced Latin square), or answered N/A"
        )
    else:
        task = "chose the better of two explanations of the same prediction, their positions swapped at random"
    return f"{people} judged {texts} ({_plural(results.answers, 'judgement')}) and {task}."


def _left_out(results: ResultsDocument) -> str:
    rules = [each for each in results.exclusions if each.rule != "simulated" and each.applied and each.answers]
    kept = [each for each in results.exclusions if not each.applied and each.answers]
    says = ""
    if rules:
        says = "Left out were " + "; ".join(
            f"{each.says} ({each.people} people, {each.answers} answers)" for each in rules
        )
        says += "."
    if kept:
        says += " Kept, though a rule would leave them out, were " + "; ".join(each.says for each in kept) + "."
    return says.strip()


def _coherence(each: Coherence) -> str:
    return (
        f"With {each.method} on {each.model}, {_share(each.coherent)} of the guesses were coherent with the prediction"
        f" ({each.no_guess} N/A)."
    )


def _comparisons(results: ResultsDocument) -> str:
    tested = [each for each in results.comparisons if each.mcnemar is not None and each.difference is not None]
    if not tested:
        return ""
    joint = {"methods": "on", "models": "with"}
    pairs = [
        f"{each.first} against {each.second} {joint[each.family]} {each.within}: difference {each.difference:+.3f} "
        f"[{each.low:+.3f}, {each.high:+.3f}], {each.only_first} against {each.only_second} items, "
        f"McNemar p {_p(each.mcnemar_holm)}, bootstrap p {_p(each.bootstrap_holm)}"
        for each in tested
    ]
    return (
        "Paired by item (exact McNemar test on the items' majorities, bootstrap over items, p values after Holm's "
        "correction): " + "; ".join(pairs) + "."
    )


def _preference(each: Preference) -> str:
    if each.majorities.of == 0:
        return ""
    where = f"On {each.model}, the" if each.model else "Over all models, the"
    ties = f" ({_plural(each.ties, 'tie')} not counted)" if each.ties else ""
    return (
        f"{where} majority preferred {each.second} to {each.first} for {_share(each.majorities)} of the items{ties}: "
        f"exact binomial test, p {_p(each.test.exact_one_sided)} one-sided, p {_p(each.test.exact_two_sided)} "
        f"two-sided (normal approximation, one-sided: p {_p(each.test.normal_one_sided)}). "
        f"Whatever stood first was chosen in {_share(each.shown_first)} of the votes."
    )


def _agreement(results: ResultsDocument) -> str:
    says = []
    if results.agreement.alpha is not None:
        says.append(f"Krippendorff's alpha (nominal) was {results.agreement.alpha:.3f}")
    if results.agreement.fleiss is not None:
        says.append(f"Fleiss' kappa was {results.agreement.fleiss:.3f}")
    if results.times.median is not None:
        says.append(f"the median time for a screen was {results.times.median / 1000:.1f} s")
    return "; ".join(says) + "." if says else ""


def _seed(results: ResultsDocument) -> str:
    return f"Intervals of shares are 95% Wilson intervals; everything drawn at random follows from seed {results.seed}."


def _share(given: Share) -> str:
    if given.share is None or given.low is None or given.high is None:
        return "none"
    between = f"95% interval {percent(given.low)} to {percent(given.high)}"
    return f"{percent(given.share)} ({given.count} of {given.of}, {between})"


def _p(value: float | None) -> str:
    if value is None:
        return "not defined"
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
