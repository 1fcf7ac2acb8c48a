"""The runs that ship: they are whole, they can be read, and what they show is what their rows say."""

import json

import numpy as np
import pytest

from espalier.commands.gallery import EXAMPLES
from espalier.lab import gallery
from espalier.lab.diagnosis.documents import DiagnosisResults
from espalier.lab.diagnosis.results import results
from espalier.lab.diagnosis.service import design_of as diagnosis_of
from espalier.lab.documents import EvaluationResults
from espalier.lab.service import design_of


def shipped(kind: str) -> list[str]:
    """Names of the examples of one kind."""
    found = [each.evaluation for each in gallery.examples().values()]
    return [each.id.removeprefix(gallery.BEGINNING) for each in found if each.kind == kind]


def test_everything_that_is_made_ships() -> None:
    assert sorted([*shipped("evaluation"), *shipped("diagnosis")]) == sorted(EXAMPLES)


@pytest.mark.parametrize("name", shipped("evaluation"))
def test_an_example_is_the_run_it_says(name: str) -> None:
    example = gallery.examples()[gallery.BEGINNING + name]
    design = design_of(example.evaluation)
    assert design == EXAMPLES[name]
    assert [text for text, _ in example.texts] == [row.text for row in design.texts()]
    assert len(example.stored) == len(example.texts) * len(design.models) * len(design.labels)


@pytest.mark.parametrize("name", shipped("diagnosis"))
def test_a_diagnosis_shows_what_its_rows_say(name: str) -> None:
    example = gallery.examples()[gallery.BEGINNING + name]
    run = example.evaluation
    design = diagnosis_of(run)
    assert design == EXAMPLES[name]
    assert [text for text, _ in example.texts] == [row.text for row in design.texts()]
    assert len(example.stored) == len(example.texts) * len(design.models)
    shown = DiagnosisResults.model_validate_json(example.results)
    assert shown.complete
    assert shown == results(run, design, example.texts, example.stored)


@pytest.mark.parametrize("name", shipped("evaluation"))
def test_its_table_is_that_of_its_rows(name: str) -> None:
    example = gallery.examples()[gallery.BEGINNING + name]
    design = design_of(example.evaluation)
    shown = EvaluationResults.model_validate_json(example.results)
    assert shown.complete
    for line in shown.lines:
        place = design.models.index(line.model), design.labels.index((line.method, line.reference))
        rows = [json.loads(row.content) for row in example.stored if (row.model, row.condition) == place]
        for cell in line.cells:
            values = [value for row in rows if (value := row.get("values", {}).get(cell.measure)) is not None]
            assert cell.interval.n == len(values)
            if values:
                assert cell.interval.mean == pytest.approx(np.mean(values))


def test_a_written_run_is_read_back() -> None:
    for example in gallery.examples().values():
        content = gallery.write(example.evaluation, example.texts, example.stored, example.results)
        assert gallery.read(content) == example
        assert gallery.write(example.evaluation, example.texts, example.stored, example.results) == content


def test_the_first_visit_shows_something() -> None:
    assert gallery.BEGINNING + "two-models" in gallery.examples()
    assert gallery.BEGINNING + "sentiment" in gallery.examples()
