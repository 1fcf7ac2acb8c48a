"""How much one job may ask for: known before it begins where it can be, and refused in words."""

import pytest

from espalier.explain.registry import MOST_EVALUATIONS, method
from espalier.problems import BadParameter


@pytest.mark.parametrize(
    ("name", "parameters", "size"),
    [
        ("sampled-shapley", {"orders": 10_000}, 400),
        ("asiv-published", {"orders": 2000}, 40),
        ("soc", {"draws": 1000}, 400),
    ],
)
def test_a_product_of_parameters_that_is_too_large_is_refused_with_what_to_do(
    name: str, parameters: dict[str, int], size: int
) -> None:
    chosen = method(name)
    with pytest.raises(BadParameter, match=f"too much work for {name}: got about .* possible are up to 500,000; lower"):
        chosen.check_size(size, chosen.parameters(**parameters))


@pytest.mark.parametrize(
    ("name", "parameters", "size", "expected"),
    [
        ("sampled-shapley", {"orders": 100}, 20, 1902),
        ("sampled-shapley", {"orders": 100}, 4, 16),
        ("asiv-published", {}, 10, 22_500),
        ("leave-one-out", {}, 12, 14),
        ("lime", {"samples": 200}, 30, 200),
        ("shap", {"budget": 700}, 30, 700),
        ("shap", {}, 30, None),
    ],
)
def test_what_a_method_expects_is_known_where_it_can_be(
    name: str, parameters: dict[str, int], size: int, expected: int | None
) -> None:
    chosen = method(name)
    chosen.check_size(size, chosen.parameters(**parameters))
    assert chosen.expected(size, chosen.parameters(**parameters)) == expected


def test_no_method_refuses_its_own_defaults() -> None:
    for name in ("sampled-shapley", "asiv-published", "soc", "lime", "mahe", "shap", "asiv", "ls-tree"):
        chosen = method(name)
        limit = chosen.maximum_players
        most = limit if isinstance(limit, int) else limit(chosen.parameters())
        assert (chosen.expected(most, chosen.parameters()) or 0) <= MOST_EVALUATIONS
