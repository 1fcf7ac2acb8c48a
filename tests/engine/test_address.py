"""Equal questions have equal addresses, different ones different addresses."""

import pytest

from espalier.engine.address import address, parser_revision
from espalier.explain.request import ExplanationRequest
from espalier.models.families import Says
from espalier.trees.parser import default_parser

BASE = {"text": "A film.", "method": "lime"}


def of(**fields: object) -> str:
    return address(ExplanationRequest(**(BASE | fields)), "r1")


def test_defaults_written_out_change_nothing() -> None:
    assert of() == of(parameters={"samples": 1000, "seed": 0}, reference="pad", seed=0)


@pytest.mark.parametrize(
    "change",
    [
        {"text": "A film!"},
        {"pair": "Another."},
        {"model": "sst2-bow"},
        {"method": "hedge"},
        {"target": "positive"},
        {"scale": "logit"},
        {"reference": "delete"},
        {"players": "tokens"},
        {"spans": [(0, 1)]},
        {"tree": "(S A film .)"},
        {"parameters": {"samples": 999}},
        {"seed": 1},
    ],
)
def test_whatever_decides_the_result_decides_the_address(change: dict[str, object]) -> None:
    assert of(**change) != of()


def test_what_the_reference_does_not_use_does_not_decide_the_address() -> None:
    assert of(background=["Another sentence."]) == of()


@pytest.mark.parametrize("change", [{"background": ["Another sentence."]}, {"seed": 1}])
def test_what_a_reference_draws_from_decides_the_address(change: dict[str, object]) -> None:
    base = {"method": "hedge", "reference": "marginal"}
    assert of(**base, **change) != of(**base)


def test_another_revision_of_the_model_is_another_address() -> None:
    request = ExplanationRequest(**BASE)
    assert address(request, "r1") != address(request, "r2")


@pytest.mark.parametrize("says", ["next-words", "blank"])
def test_the_scale_that_a_language_model_has_unasked_is_the_one_in_its_address(says: Says) -> None:
    def measured(**fields: object) -> str:
        return address(ExplanationRequest(**(BASE | fields)), "r1", says=says)

    assert measured() == measured(scale="log_odds")
    assert measured() != measured(scale="probability")
    assert measured(scale="probability") != of(scale="probability"), "what was stored in another scale is not found"


def test_realms_find_nothing_of_each_other() -> None:
    request = ExplanationRequest(**BASE)
    addresses = {address(request, "r1", realm) for realm in ("", "key:1", "key:2")}
    assert len(addresses) == 3
    assert address(request, "r1") in addresses


def test_the_parser_is_the_one_that_parses() -> None:
    assert parser_revision() == default_parser().revision
