"""Models of the caller's own: each is wrapped once for its class names, by one thread, and put away after its use."""

import threading
import time

import pytest
from tests.models.masked.made import network, tokenizer

from espalier.engine.explainer import Explainer
from espalier.library import KEPT_MODELS, OwnModels, explain, explain_all, host_of, stand_ins
from espalier.models.callable import CallableModel
from espalier.problems import BadModel
from espalier.text import read


def sentiment(texts):
    return [[0.2, 0.8] if "good" in text else [0.8, 0.2] for text in texts]


def test_class_names_given_later_are_not_those_of_the_first_call() -> None:
    first = explain("A good film", sentiment, "leave-one-out", classes=["no", "yes"])
    second = explain("A good film", sentiment, "leave-one-out", classes=["schlecht", "gut"])
    assert (first.classes, second.classes) == (("no", "yes"), ("schlecht", "gut"))


def test_a_masked_model_in_a_folder_fills_in(tmp_path) -> None:
    folder = tmp_path / "fills-six-words"
    network().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    filling = {"reference": "conditional", "filler": str(folder)}
    own = explain("the film is good", sentiment, "leave-one-out", classes=["no", "yes"], **filling)
    named = explain("the film is good", "sst2-bow", "leave-one-out", **filling)
    (listed,) = explain_all(["the film is good"], "sst2-bow", "leave-one-out", **filling)
    assert own.filler == named.filler == listed.filler == "fills-six-words"
    shown = stand_ins("the film is good", [3], "sst2-bow", **filling)
    assert {text["words"][3]["text"] for text in shown["texts"]} <= {"the", "film", "is", "not", "good", "dull"}


def hosts() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("host-one_of_many")]


def test_threads_of_models_that_are_not_used_any_more_end() -> None:
    def make(number: int):
        def one_of_many(texts):
            return [[0.1 * number, 1 - 0.1 * number] for _ in texts]

        return one_of_many

    for number in range(KEPT_MODELS + 4):
        explain("A film", make(number), "leave-one-out", classes=["a", "b"])
    assert len(hosts()) == KEPT_MODELS


def test_a_model_in_use_is_not_put_away_by_others() -> None:
    kept = OwnModels(1)
    with kept.using(sentiment) as explainer:
        for other in (lambda texts: sentiment(texts), lambda texts: sentiment(texts)):
            with kept.using(other):
                pass
        assert not explainer.host("own")._closed
        with kept.using(sentiment) as again:
            assert again is explainer


def test_the_pool_of_a_model_serves_the_next_call() -> None:
    asked = []

    def counting(texts):
        asked.extend(texts)
        return sentiment(texts)

    explain("A good film", counting, "leave-one-out", classes=["no", "yes"])
    before = len(asked)
    explain("A good film", counting, "leave-one-out", classes=["no", "yes"])
    assert len(asked) == before


def test_threads_that_ask_at_once_share_one_host() -> None:
    """Loading takes a moment, in which the other threads come."""
    loaded = []

    def load(name: str) -> CallableModel:
        loaded.append(name)
        time.sleep(0.2)
        return CallableModel(sentiment, ["no", "yes"])

    explainer = Explainer(load, lambda passage: pytest.fail("nothing to parse"))
    found = []
    threads = [threading.Thread(target=lambda: found.append(explainer.host("m"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    explainer.close()
    assert loaded == ["m"]
    assert len(set(map(id, found))) == 1


def test_a_function_used_by_many_threads_keeps_its_words_apart() -> None:
    model = CallableModel(sentiment, ["no", "yes"])
    texts = [" ".join(f"word{number}{letter}" for number in range(300)) for letter in "abcd"]
    encoded: dict[str, tuple[int, ...]] = {}
    threads = [
        threading.Thread(target=lambda text=text: encoded.update({text: model.encode(read(text)).ids}))
        for text in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(model._text(model.encode(read(text)).row()) == text for text in texts)
    assert len({index for ids in encoded.values() for index in ids}) == 4 * 300


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(BadModel, match="cannot explain a int"):
        host_of(3)


def test_beside_a_model_of_the_callers_own_the_catalogs_can_be_asked():
    with OwnModels(1).using(lambda texts: [[0.5, 0.5]] * len(texts)) as explainer:
        assert explainer.host("own").model.family == "callable"
        assert explainer.host("sst2-bow").model.name == "sst2-bow"
        explainer.close()
