"""Calibration against what is computed by hand, and against models whose temperature is known."""

import json
import re
import shutil

import numpy as np
import pytest
from scipy.special import softmax

from espalier.models.catalog import Catalog
from espalier.models.families import family_of
from espalier.settings import settings
from training import calibration, cards, held_out
from training.calibration import (
    Calibration,
    Measured,
    calibrate,
    crosswise,
    expected_calibration_error,
    fitted_temperature,
    negative_log_likelihood,
)
from training.held_out import Answers


def logits_of(*probabilities):
    return np.log(np.array([(1 - each, each) for each in probabilities]))


def drawn(texts, temperature, classes=3, seed=0):
    """Logits of a model that is right as often as it should be once they are divided by a temperature."""
    source = np.random.default_rng(seed)
    logits = source.normal(0, 2, (texts, classes))
    labels = np.array([source.choice(classes, p=each) for each in softmax(logits, axis=1)])
    return logits * temperature, labels


def test_the_error_is_what_one_computes_by_hand():
    # 0.9 and 0.92 share a bin of fifteen: one of two right. 0.7 has one of its own, and is right.
    logits = logits_of(0.9, 0.92, 0.7)
    by_hand = (2 * abs(0.91 - 0.5) + abs(0.7 - 1.0)) / 3
    assert expected_calibration_error(logits, np.array([1, 0, 1])) == pytest.approx(by_hand)


def test_the_predicted_class_counts_whichever_it_is():
    logits = logits_of(0.9, 0.1)
    assert expected_calibration_error(logits, np.array([1, 0])) == pytest.approx(0.1)


def test_a_certainty_falls_into_the_last_bin_and_a_probability_on_an_edge_into_the_lower_one():
    assert expected_calibration_error(np.array([[0.0, 800.0]]), np.array([1])) == 0
    # Between them 0.8 and 0.81 are off by nothing in one bin of five, but not apart.
    edge = logits_of(0.8, 0.81)
    assert expected_calibration_error(edge, np.array([1, 0]), bins=5) == pytest.approx((0.2 + 0.81) / 2)


def test_the_likelihood_is_what_one_computes_by_hand():
    found = negative_log_likelihood(logits_of(0.9, 0.2), np.array([1, 0]))
    assert found == pytest.approx(-(np.log(0.9) + np.log(0.8)) / 2)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_a_temperature_that_is_known_is_found(temperature):
    assert fitted_temperature(*drawn(20_000, temperature)) == pytest.approx(temperature, rel=0.05)


def test_no_other_temperature_has_a_smaller_loss():
    logits, labels = drawn(500, 1.8)
    best = negative_log_likelihood(logits / fitted_temperature(logits, labels), labels)
    for other in np.geomspace(0.1, 15, 200):
        assert best <= negative_log_likelihood(logits / other, labels) + 1e-9


def test_a_half_is_measured_with_the_temperature_of_the_other_half():
    logits, labels = drawn(400, 2.0)
    divided = crosswise(logits, labels, seed=3)
    order = np.random.default_rng(3).permutation(400)
    used = logits[:, 0] / divided[:, 0]
    for measured, fitted in ((order[:200], order[200:]), (order[200:], order[:200])):
        assert used[measured] == pytest.approx(fitted_temperature(logits[fitted], labels[fitted]))
    # Other answers of a half change the other half's temperature, and not its own.
    labels[order[:200]] = 0
    again = logits[:, 0] / crosswise(logits, labels, seed=3)[:, 0]
    assert again[order[:200]] == pytest.approx(used[order[:200]])
    assert again[order[200]] != pytest.approx(used[order[200]])


def test_a_model_that_is_too_sure_is_helped_and_a_good_one_hardly_changed():
    found = calibrate(Answers(*drawn(5000, 3.0)))
    assert found.helps
    assert found.after.error < found.before.error / 3
    assert found.after.loss < found.before.loss
    good = calibrate(Answers(*drawn(5000, 1.0)))
    assert good.temperature == pytest.approx(1.0, abs=0.1)
    assert abs(good.after.error - good.before.error) < 0.01


# What is written -----------------------------------------------------------------------------------------------------

HELPS = Calibration(872, Measured(0.08, 0.31), Measured(0.02, 0.27), 1.734)
DOES_NOT = Calibration(872, Measured(0.01, 0.3), Measured(0.02, 0.29), 1.1)


def test_a_temperature_helps_by_both_measures_or_not_at_all():
    assert HELPS.helps
    assert not DOES_NOT.helps
    assert not Calibration(872, Measured(0.02, 0.27), Measured(0.01, 0.28), 0.9).helps


@pytest.fixture
def models(tmp_path, monkeypatch):
    """A folder of models with a copy of the smallest one, as it was before it was calibrated."""
    folder = tmp_path / "sst2-bow"
    shutil.copytree(settings().catalog.parent / "sst2-bow", folder)
    manifest = json.loads((folder / "espalier.json").read_text(encoding="utf-8"))
    del manifest["temperature"]
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    card = (folder / "README.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text(
        re.sub(r"\n\n\| calibration .*?\n\n## ", "\n\n## ", card, flags=re.S), encoding="utf-8"
    )
    monkeypatch.setattr(held_out, "MODELS", tmp_path)
    return tmp_path


def test_a_temperature_that_helps_is_written_and_the_numbers_stand_on_the_card_once(models):
    calibration.write("sst2-bow", HELPS)
    calibration.write("sst2-bow", HELPS)
    manifest = json.loads((models / "sst2-bow" / "espalier.json").read_text(encoding="utf-8"))
    assert manifest["temperature"] == 1.734
    card = (models / "sst2-bow" / "README.md").read_text(encoding="utf-8")
    assert card.count("| calibration on 872 held-out texts | ECE, 15 bins | negative log-likelihood |") == 1
    assert "| as trained | 0.0800 | 0.3100 |" in card
    assert "| temperature 1.734 ships; measured crosswise | 0.0200 | 0.2700 |" in card


def test_a_temperature_that_does_not_help_is_taken_away_again(models):
    before = (models / "sst2-bow" / "espalier.json").read_bytes()
    calibration.write("sst2-bow", HELPS)
    calibration.write("sst2-bow", DOES_NOT)
    assert (models / "sst2-bow" / "espalier.json").read_bytes() == before
    card = (models / "sst2-bow" / "README.md").read_text(encoding="utf-8")
    assert "temperature 1.1 does not help, none ships" in card
    assert "1.734" not in card


def test_everything_else_on_a_card_stays(models):
    path = models / "sst2-bow" / "README.md"
    kept = path.read_text(encoding="utf-8")
    calibration.write("sst2-bow", HELPS)
    table = path.read_text(encoding="utf-8").partition("\n\n| calibration")[2].partition("\n\n## ")[0]
    assert path.read_text(encoding="utf-8").replace(f"\n\n| calibration{table}", "") == kept


def test_a_card_without_a_place_is_refused(tmp_path):
    (tmp_path / "README.md").write_text("# A card\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"got .* without '## Measured'"):
        cards.put_in_table(tmp_path / "README.md", [("calibration", "n")])


def test_a_model_that_has_a_temperature_already_is_calibrated_as_it_was_trained(models):
    rows = [("A warm, funny film.", 1), ("A dull film.", 0)]
    plain = held_out.answers(held_out.load("sst2-bow"), rows)
    calibration.write("sst2-bow", HELPS)
    now = held_out.answers(held_out.load("sst2-bow"), rows)
    np.testing.assert_allclose(now.logits * 1.734, plain.logits, atol=1e-5)
    np.testing.assert_allclose(calibration.as_trained("sst2-bow", now).logits, plain.logits, atol=1e-5)


# Held-out texts ------------------------------------------------------------------------------------------------------


def test_answers_come_in_the_order_of_the_texts():
    model = held_out.load("sst2-bow")
    rows = [("A dull film.", 0), ("Good", 1), ("One of the best films of the year, and a joy to look at.", 1)]
    together = held_out.answers(model, rows, batch_size=2)
    for (text, label), logits in zip(rows, together.logits, strict=True):
        alone = held_out.answers(model, [(text, label)])
        np.testing.assert_allclose(alone.logits[0], logits, atol=1e-5)
    assert together.labels.tolist() == [0, 1, 1]
    assert together.cut == 0


def test_of_a_text_that_is_too_long_as_many_words_are_read_as_fit():
    model = held_out.load("sst2-bow")
    words = ["good", "bad", "film"] * 2
    model.max_length = 4
    found = held_out.answers(model, [(" ".join(words), 1), ("good film", 1)])
    assert found.cut == 1
    assert str(found) == "2 texts, 1 of them cut"
    np.testing.assert_allclose(found.logits[0], held_out.answers(model, [(" ".join(words[:4]), 1)]).logits[0])


def test_the_classifiers_of_the_catalog_are_all_held_to_something():
    shipped = Catalog(settings().catalog)
    served = {entry.name for entry in shipped.entries() if family_of(shipped.source(entry.name)).says == "classes"}
    assert served <= set(held_out.shipped())
