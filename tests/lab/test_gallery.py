"""The runs that ship: they are whole, they can be read, and what they show is what their rows say."""

import json

import numpy as np
import pytest

from espalier.commands.gallery import EXAMPLES
from espalier.lab import gallery
from espalier.lab.design import EvaluationDesign
from espalier.lab.documents import EvaluationResults
from espalier.lab.service import design_of


@pytest.mark.parametrize("name", [name.removeprefix(gallery.BEGINNING) for name in gallery.examples()])
def test_an_example_is_the_run_it_says(name: str) -> None:
    example = gallery.examples()[gallery.BEGINNING + name]
    design = design_of(example.evaluation)
    assert design == EvaluationDesign.model_validate(EXAMPLES[name])
    assert [text for text, _ in example.texts] == [row.text for row in design.texts()]
    assert len(example.stored) == len(example.texts) * len(design.models) * len(design.labels)


@pytest.mark.parametrize("name", [name.removeprefix(gallery.BEGINNING) for name in gallery.examples()])
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
    example = next(iter(gallery.examples().values()))
    content = gallery.write(example.evaluation, example.texts, example.stored, example.results)
    assert gallery.read(content) == example
    assert gallery.write(example.evaluation, example.texts, example.stored, example.results) == content


def test_the_first_visit_shows_something() -> None:
    assert gallery.BEGINNING + "sentiment" in gallery.examples()
