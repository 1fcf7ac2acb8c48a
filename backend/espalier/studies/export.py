"""Results to take home: raw rows and summaries, as CSV and as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

from espalier.studies.design import StudyDesign
from espalier.studies.results import ResultsDocument
from espalier.studies.statistics.judgements import Judgement


def raw_rows(
    design: StudyDesign, rows: Iterable[Judgement], simulated: bool, identities: Mapping[tuple[bool, int], str] | None
) -> list[dict[str, Any]]:
    """One for each judgement, in the order they were made. Provider ids only where they are given."""
    return [_row(design, row, identities) for row in rows if row.simulated == simulated]


def _row(design: StudyDesign, row: Judgement, identities: Mapping[tuple[bool, int], str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {"person": row.person}
    if identities is not None:
        found["provider_id"] = identities.get((row.simulated, row.person), "")
    found |= {
        "simulated": row.simulated,
        "kind": row.kind,
        "item": row.item,
        "sentence": row.sentence,
        "text": row.text,
    }
    found |= {"label": row.label, "model": row.model}
    if design.protocol == "coherence":
        found |= {"method": row.method, "position": row.position, "answer": row.answer, "prediction": row.prediction}
        found["coherent"] = row.coherent if row.kind == "task" else None
    else:
        found |= {"chosen": row.method, "not_chosen": row.other, "position": row.position, "answer": row.answer}
        found["prediction"] = row.prediction
    return found | {
        "expected": row.expected,
        "milliseconds": row.milliseconds,
        "answered": row.answered.isoformat(),
        "extra": row.extra,
        "screen": row.task,
    }


def summary_rows(results: ResultsDocument) -> list[dict[str, Any]]:
    """Every number of the results on a line of its own, with what it is about."""
    lines = []

    def add(about: str, name: str, value: Any) -> None:
        lines.append({"about": about, "name": name, "value": value})

    for name in ("study", "title", "protocol", "simulated", "people", "answers", "seed"):
        add("study", name, getattr(results, name))
    for exclusion in results.exclusions:
        for name, value in exclusion.model_dump().items():
            add(f"exclusion {exclusion.rule}", name, value)
    for cell in results.coherence:
        _spread(add, f"coherence {cell.model or 'all models'} {cell.method or 'all methods'}", cell.model_dump())
    for pair in results.comparisons:
        _spread(add, f"comparison {pair.within}: {pair.first} against {pair.second}", pair.model_dump())
    for each in results.preference:
        _spread(add, f"preference {each.model or 'all models'}", each.model_dump())
    for about in ("agreement", "times", "attention"):
        _spread(add, about, getattr(results, about).model_dump())
    add("study", "paragraph", results.paragraph)
    return lines


def _spread(add: Any, about: str, values: dict[str, Any]) -> None:
    for name, value in values.items():
        if isinstance(value, dict):
            _spread(add, f"{about}: {name}", value)
        else:
            add(about, name, value)
