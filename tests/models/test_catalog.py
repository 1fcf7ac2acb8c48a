import json
import shutil

import numpy as np
import pytest
import torch
from tests.models.first_use import with_patience

from espalier.models.catalog import Catalog
from espalier.models.predict import predict
from espalier.problems import BadModel, UnknownName
from espalier.settings import settings

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def shipped() -> Catalog:
    return Catalog(settings().catalog, CPU)


SHIPPED = {
    "sst2-minilm": 2,
    "sst2-smollm2": 2,
    "sst2-lstm": 2,
    "sst2-cnn": 2,
    "sst2-bow": 2,
    "imdb-minilm": 2,
    "imdb-lstm": 2,
    "imdb-cnn": 2,
    "imdb-bow": 2,
    "emotion-minilm": 7,
    "topic-minilm": 4,
}
LANGUAGE_MODELS = {"smollm2", "word-lstm-lm", "mlm-general", "mlm-movies"}


@pytest.mark.parametrize(("name", "classes"), [with_patience(*each) for each in SHIPPED.items()])
def test_every_shipped_model_answers(name, classes, shipped):
    prediction = predict(shipped.load(name), "The music is lovely, but the film is not heartwarming or entertaining.")
    assert len(prediction.classes) == classes
    assert sum(prediction.probabilities) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("sst2-minilm", "An honest, moving and very funny film.", "positive"),
        ("sst2-minilm", "It isn't funny and it is far too long.", "negative"),
        with_patience("sst2-smollm2", "Not a single scene of it is dull.", "positive"),
        with_patience("sst2-smollm2", "If only the cast were half as charming as the poster.", "negative"),
        ("sst2-lstm", "An honest, moving and very funny film.", "positive"),
        ("sst2-cnn", "A dull and lifeless mess.", "negative"),
        ("sst2-bow", "A dull and lifeless mess.", "negative"),
        ("imdb-cnn", "The plot makes no sense and the acting is dreadful throughout.", "negative"),
        ("imdb-minilm", "The plot makes no sense and the acting is dreadful throughout.", "negative"),
        ("imdb-minilm", "I loved every minute of it, a wonderful cast in a touching story.", "positive"),
        ("imdb-lstm", "The plot makes no sense and the acting is dreadful throughout.", "negative"),
        ("imdb-lstm", "I loved every minute of it, a wonderful cast in a touching story.", "positive"),
        ("imdb-bow", "I loved every minute of it, a wonderful cast in a touching story.", "positive"),
        ("emotion-minilm", "I am so happy for you, this is wonderful!", "joy"),
        ("emotion-minilm", "I'm terrified of what happens next.", "fear"),
        ("topic-minilm", "The striker scored twice in the final as the visitors won the cup.", "Sports"),
        ("topic-minilm", "Shares of the airline fell after it cut its profit forecast.", "Business"),
    ],
)
def test_shipped_models_say_what_a_reader_would(name, text, label, shipped):
    assert predict(shipped.load(name), text).label == label


def test_the_shipped_word_lstm_goes_on_with_a_text_as_its_reviews_do(shipped):
    prediction = predict(shipped.load("word-lstm-lm"), "The film was one of the")
    assert {"best", "worst", "most"} <= {name.strip() for name in prediction.classes}
    assert sum(prediction.probabilities) == pytest.approx(1)


def test_the_shipped_masked_model_of_films_knows_what_a_film_can_be(shipped):
    prediction = predict(shipped.load("mlm-movies"), "The film is [MASK].")
    assert {"great", "good", "terrible"} <= set(prediction.classes)
    assert sum(prediction.probabilities) == pytest.approx(1)


def test_the_catalog_lists_exactly_the_shipped_models(shipped):
    assert {entry.name for entry in shipped.entries()} == set(SHIPPED) | LANGUAGE_MODELS


def test_a_model_is_loaded_once(shipped):
    assert shipped.load("sst2-bow") is shipped.load("sst2-bow")


def test_an_unknown_model_is_answered_with_the_known_ones(shipped):
    with pytest.raises(
        UnknownName,
        match=r"got 'bert', possible are emotion-minilm, imdb-bow, imdb-cnn, imdb-lstm, imdb-minilm, mlm-general",
    ):
        shipped.load("bert")


def test_one_entry_is_all_it_takes_to_add_a_model(bert_folder, catalog_file):
    catalog_file.write_text(f'[models.colours]\ntitle = "Colours"\nsource = "{bert_folder}"\n')
    prediction = predict(Catalog(catalog_file, CPU).load("colours"), "A pair of shoes.")
    assert prediction.classes == ("red", "green", "blue")


def test_class_names_can_be_given_in_the_entry(bert_folder, catalog_file):
    catalog_file.write_text(f'[models.c]\ntitle = "C"\nsource = "{bert_folder}"\nclasses = ["a", "b", "c"]\n')
    assert Catalog(catalog_file, CPU).load("c").classes == ("a", "b", "c")


def test_a_misspelt_field_is_refused(catalog_file):
    catalog_file.write_text('[models.c]\ntitle = "C"\nsorce = "x"\n')
    with pytest.raises(BadModel, match="sorce"):
        Catalog(catalog_file, CPU)


def test_a_missing_catalog_is_refused(tmp_path):
    with pytest.raises(BadModel, match="ESPALIER_CATALOG"):
        Catalog(tmp_path / "none.toml", CPU)


def test_an_adapter_over_another_backbone_is_refused(catalog_file):
    folder = catalog_file.parent / "moved"
    shutil.copytree(settings().catalog.parent / "sst2-minilm", folder)
    manifest = json.loads((folder / "espalier.json").read_text(encoding="utf-8"))
    (folder / "espalier.json").write_text(json.dumps(manifest | {"backbone_sha256": "0" * 64}))
    catalog_file.write_text('[models.moved]\ntitle = "M"\nsource = "moved"\n')
    with pytest.raises(BadModel, match="wrong backbone for moved"):
        Catalog(catalog_file, CPU).load("moved")


def test_a_model_that_gives_nan_is_refused(bert_folder, catalog_file):
    catalog_file.write_text(f'[models.c]\ntitle = "C"\nsource = "{bert_folder}"\n')
    model = Catalog(catalog_file, CPU).load("c")
    with torch.no_grad():
        model.network.classifier.bias[0] = np.nan
    with pytest.raises(BadModel, match="not finite"):
        predict(model, "A text.")


def test_the_shipped_classifiers_stay_under_forty_megabytes():
    folder = settings().catalog.parent
    size = sum(path.stat().st_size for name in SHIPPED for path in (folder / name).iterdir())
    assert size < 40e6


@pytest.mark.parametrize("name", [*SHIPPED, *sorted(LANGUAGE_MODELS), "minilm-benepar"])
def test_every_shipped_model_has_a_card_that_says_where_it_comes_from(name):
    card = (settings().catalog.parent / name / "README.md").read_text(encoding="utf-8")
    for heading in ("## Data", "## Licence", "## Made by", "## Measured", "## Known failures"):
        assert heading in card
