"""What a client's runs take, as it is counted."""

from espalier.store import Store
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, Evaluations


def test_labels_and_the_design_are_among_the_bytes_of_a_client(store: Store) -> None:
    evaluations = Evaluations(store)
    design = {"design": {"title": "é" * 1_000}}
    evaluations.add(Evaluation("e1", "client", design, 2, 2, now()), [("text", "label" * 1_000), ("text", None)])
    assert 7_000 < evaluations.kept("client").bytes < 7_100
    assert evaluations.kept("another").bytes == 0
