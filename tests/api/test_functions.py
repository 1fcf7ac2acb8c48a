"""MAHE's Figure 3a over HTTP: what ships."""

from xml.etree import ElementTree

import numpy as np
import pytest
from fastapi.testclient import TestClient

from espalier.lab.interactions.base_models import BASES
from espalier.lab.interactions.shipped import POINTS, TRIALS
from espalier.lab.interactions.synthetic import FUNCTIONS


def test_every_function_has_a_line_for_every_kind_of_model_and_its_means(client: TestClient) -> None:
    found = client.get("/v1/functions").json()
    assert (found["points"], found["trials"]) == (POINTS, TRIALS)
    assert {(each["function"], each["base"]) for each in found["fitted"]} == {
        (function.name, base) for function in FUNCTIONS for base in BASES
    }
    for each in found["fitted"]:
        assert len(each["errors"]) == POINTS * TRIALS
        for way in ("mahe", "products", "known"):
            mean = np.mean([error[way] for error in each["errors"]])
            assert each[way]["mean"] == pytest.approx(mean, abs=1e-6)


def test_the_picture_is_an_svg_with_a_panel_for_every_kind(client: TestClient) -> None:
    answer = client.get("/v1/functions/picture.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    drawn = ElementTree.fromstring(answer.text)
    assert len([each for each in drawn.iter() if each.get("class") == "point"]) == 3 * len(FUNCTIONS) * len(BASES)
    assert "Boosted trees" in answer.text
