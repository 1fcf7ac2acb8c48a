"""An edit is a small folder over its original: loaded like any model, and the original stays as it is."""

import json
import shutil

import numpy as np
import pytest
import torch

from espalier.models.catalog import Catalog
from espalier.models.describe import describe
from espalier.models.edited import changes, keep
from espalier.models.families import load_in_full, load_model
from espalier.models.sources import source_of
from espalier.models.tuning import Lesson, as_it_is, beside, error, teach
from espalier.problems import BadModel, NotSupported
from espalier.text import read

CPU = torch.device("cpu")
TEXT = "The film is not good."


@pytest.fixture
def original(word_folder, tmp_path):
    return source_of(str(shutil.copytree(word_folder / "cnn", tmp_path / "original")), {})


@pytest.fixture
def taught(original):
    """A copy that was taught to find the text three log-odds better, and how that went."""
    before, after = load_model(original, CPU), load_model(original, CPU)
    row = before.encode(read(TEXT)).row()
    negative, positive = before.outputs([row])[0]
    lesson = Lesson([row], np.array([positive - negative + 3.0]), np.ones(1))
    learnt = teach(after, lesson, lesson, 1, rate=1e-3, steps=200, enough=0.01)
    return before, after, learnt, lesson


def test_a_lesson_is_learnt_and_its_errors_are_those_of_the_outputs(taught):
    before, after, learnt, lesson = taught
    assert learnt.before == pytest.approx(9.0, rel=1e-4)
    negative, positive = after.outputs(lesson.rows)[0]
    assert learnt.after == pytest.approx((positive - negative - lesson.targets[0]) ** 2, abs=1e-4)
    assert learnt.after < 0.5
    assert error(before, lesson, 1) == pytest.approx(9.0, rel=1e-4)


def test_what_is_to_stay_is_what_the_model_says_and_counts_as_much_as_the_lesson(taught):
    before, _, _, lesson = taught
    kept = as_it_is(before, ["The film", "", "is bad ."], 1)
    outputs = before.outputs([before.encode(read(text)).row() for text in ("The film", "is bad .")])
    assert kept.targets == pytest.approx(outputs[:, 1] - outputs[:, 0], abs=1e-5)
    both = beside(lesson, kept)
    assert both.weights.tolist() == [1.0, 0.5, 0.5]
    assert both.targets.tolist() == [*lesson.targets, *kept.targets]
    assert error(before, both, 1) == pytest.approx(9.0 / 2, rel=1e-4)


def test_texts_that_are_taught_to_stay_move_less(original, taught):
    before, alone, _, lesson = taught
    kept = as_it_is(before, ["The film is good.", "It is bad."], 1)
    second = load_model(original, CPU)
    teach(second, beside(lesson, kept), lesson, 1, rate=1e-3, steps=200, enough=0.01)
    assert error(second, lesson, 1) < 0.5
    assert error(second, kept, 1) < 0.5 * error(alone, kept, 1)


def test_the_same_lesson_gives_the_same_weights(original, taught):
    _, first, _, lesson = taught
    second = load_model(original, CPU)
    teach(second, lesson, lesson, 1, rate=1e-3, steps=200, enough=0.01)
    assert changes(first.network, second.network) == {}


def test_an_edit_is_loaded_by_its_folder_with_exactly_the_taught_outputs(original, taught, tmp_path, catalog_file):
    before, after, _, lesson = taught
    keep(tmp_path / "edit", original, before, after, {"words": ["not", "good"]})
    catalog_file.write_text("")
    catalog = Catalog(catalog_file, CPU)
    loaded = catalog.load(catalog.choose(str(tmp_path / "edit")))
    assert np.array_equal(loaded.outputs(lesson.rows), after.outputs(lesson.rows))
    assert (loaded.name, loaded.family, loaded.classes) == ("edit", "cnn", before.classes)
    described = describe(catalog.source("edit"))
    assert (described.family, described.revision) == ("cnn", loaded.revision)
    assert loaded.revision != before.revision
    assert np.array_equal(load_model(original, CPU).outputs(lesson.rows), before.outputs(lesson.rows))


def test_only_the_vectors_of_words_that_were_read_are_kept(taught):
    before, after, _, lesson = taught
    found = changes(before.network, after.network)
    assert set(found["embedding.weight.rows"].tolist()) <= set(lesson.rows[0].ids.tolist())
    assert len(found["embedding.weight.rows"]) < len(before.network.embedding.weight)


def test_an_edit_of_another_revision_is_refused(original, taught, tmp_path):
    before, after, _, _ = taught
    folder = tmp_path / "edit"
    keep(folder, original, before, after, {})
    manifest = json.loads((folder / "espalier.json").read_text())
    manifest["edit"]["revision"] = "0" * 16
    (folder / "espalier.json").write_text(json.dumps(manifest))
    with pytest.raises(BadModel, match="is an edit of another original: got revision"):
        load_model(source_of(str(folder), {}), CPU)


def test_a_transformer_is_edited_and_loaded_in_the_same_way(bert_folder, tmp_path):
    source = source_of(str(bert_folder), {})
    before, after = load_in_full(source, CPU), load_in_full(source, CPU)
    row = before.encode(read(TEXT)).row()
    lesson = Lesson([row], np.array([5.0]), np.ones(1))
    after.network.requires_grad_(False)  # as the backbone of an adapter is, once it is merged
    learnt = teach(after, lesson, lesson, 0, rate=1e-3, steps=40, enough=0.05)
    assert learnt.after < learnt.before
    changed = {name.removesuffix(".rows") for name in changes(before.network, after.network)}
    assert not any(name.startswith("bert.embeddings") for name in changed)
    assert "classifier.weight" in changed
    keep(tmp_path / "edit", source, before, after, {})
    loaded = load_model(source_of(str(tmp_path / "edit"), {}), CPU)
    assert np.array_equal(load_in_full(source_of(str(tmp_path / "edit"), {}), CPU).outputs([row]), after.outputs([row]))
    np.testing.assert_allclose(loaded.outputs([row]), after.outputs([row]), atol=1e-4)


def test_what_has_no_weights_of_its_own_is_refused():
    from espalier.models.callable import CallableModel

    plain = CallableModel(lambda texts: [[0.5, 0.5]] * len(texts), None)
    with pytest.raises(NotSupported, match="cannot be edited"):
        teach(
            plain,
            Lesson([], np.empty(0), np.empty(0)),
            Lesson([], np.empty(0), np.empty(0)),
            0,
            rate=1,
            steps=1,
            enough=0,
        )
