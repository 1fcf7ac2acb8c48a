import json
import shutil

import numpy as np
import pytest
import torch

from espalier.models.protocol import HostedModel, TokenRow
from espalier.models.transformer import load_transformer
from espalier.problems import BadModel, TooLong
from espalier.text import read

CPU = torch.device("cpu")
TEXT = "The music is lovely, but the film isn't heartwarming."


def padded_truth(model, row: TokenRow) -> np.ndarray:
    """The ordinary padded forward pass with attention 0 on absent tokens, positions as in the whole text."""
    ids = np.full((1, row.length), model.pad_id)
    seen = np.zeros((1, row.length), dtype=np.int64)
    ids[0, row.positions] = row.ids
    seen[0, row.positions] = 1
    first = 1 if model.network.config.model_type == "roberta" else 0  # the fixture's pad id is 0, RoBERTa starts after
    positions = first + torch.arange(row.length)[None]
    with torch.inference_mode():
        return model.network(
            input_ids=torch.tensor(ids), attention_mask=torch.tensor(seen), position_ids=positions
        ).logits.numpy()[0]


@pytest.mark.parametrize("folder", ["bert_folder", "roberta_folder"])
def test_skipped_tokens_change_nothing_but_the_work(folder, request):
    model = load_transformer("m", str(request.getfixturevalue(folder)), CPU)
    assert model._position_offset is not None
    encoding = model.encode(read(TEXT))
    generator = np.random.default_rng(0)
    rows = []
    for _ in range(30):
        present = generator.random(len(encoding.ids)) < generator.random()
        present |= np.array([owner is None for owner in encoding.owners])
        positions = np.flatnonzero(present)
        rows.append(TokenRow(np.asarray(encoding.ids)[positions], positions, len(encoding.ids)))
    got = model.outputs(rows)
    for row, output in zip(rows, got, strict=True):
        np.testing.assert_allclose(output, padded_truth(model, row), atol=1e-5)


def test_a_model_that_cannot_skip_gets_its_gaps_filled(bert_folder):
    model = load_transformer("m", str(bert_folder), CPU)
    encoding = model.encode(read(TEXT))
    positions = np.array([0, 2, 5, len(encoding.ids) - 1])
    row = TokenRow(np.asarray(encoding.ids)[positions], positions, len(encoding.ids))
    skipping = model.outputs([row])
    model._position_offset, model._packs = None, False
    np.testing.assert_allclose(model.outputs([row]), skipping, atol=1e-5)


def test_a_transformer_is_a_hosted_model_with_its_own_class_names(bert_folder):
    model = load_transformer("m", str(bert_folder), CPU)
    assert isinstance(model, HostedModel)
    assert model.classes == ("red", "green", "blue")


def test_every_token_of_a_word_is_owned_by_it_and_special_tokens_by_none(bert_folder):
    model = load_transformer("m", str(bert_folder), CPU)
    passage = read(TEXT)
    encoding = model.encode(passage)
    assert encoding.owners[0] is None
    assert encoding.owners[-1] is None
    pieces: dict[int, str] = {}
    for token, owner in zip(encoding.tokens, encoding.owners, strict=True):
        if owner is not None:
            pieces[owner] = pieces.get(owner, "") + token.removeprefix("##")
    assert [pieces[index] for index in range(len(passage.words))] == [word.text.lower() for word in passage.words]


def test_a_pair_is_read_as_two_segments(bert_folder):
    model = load_transformer("m", str(bert_folder), CPU)
    first, second = read("A man sleeps."), read("Nobody is awake.")
    encoding = model.encode(first, second)
    owners = [owner for owner in encoding.owners if owner is not None]
    assert owners == sorted(owners)
    assert set(owners) == set(range(len(first.words) + len(second.words)))
    truth = model.tokenizer(first.source, second.source, return_tensors="pt")
    assert model.batch([encoding.row()])["token_type_ids"].tolist() == truth["token_type_ids"].tolist()
    with torch.inference_mode():
        np.testing.assert_allclose(model.outputs([encoding.row()]), model.network(**truth).logits.numpy(), atol=1e-5)


def test_text_beyond_the_models_length_is_reported_not_cut(bert_folder):
    model = load_transformer("m", str(bert_folder), CPU)
    with pytest.raises(TooLong, match=r"got 602 tokens \(600 words\), possible are up to 512"):
        model.encode(read("word " * 600))


def test_the_revision_changes_with_the_weights_and_not_with_the_card(bert_folder, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(bert_folder, folder)
    original = load_transformer("m", str(folder), CPU).revision
    (folder / "README.md").write_text("another card")
    assert load_transformer("m", str(folder), CPU).revision == original
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"hidden_dropout_prob": 0.3}))
    assert load_transformer("m", str(folder), CPU).revision != original


def test_pickle_weights_are_refused(bert_folder, tmp_path):
    folder = tmp_path / "pickled"
    shutil.copytree(bert_folder, folder)
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(BadModel, match=r"pickle weights \(pytorch_model.bin\), which can run code"):
        load_transformer("m", str(folder), CPU)


def test_a_folder_that_asks_to_run_its_own_code_is_refused(bert_folder, tmp_path):
    folder = tmp_path / "remote"
    shutil.copytree(bert_folder, folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"auto_map": {"AutoModel": "evil.Model"}}))
    with pytest.raises(BadModel, match="auto_map"):
        load_transformer("m", str(folder), CPU)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BadModel, match=r"without config\.json"):
        load_transformer("m", str(tmp_path), CPU)


def test_a_missing_folder_is_refused():
    with pytest.raises(BadModel, match=r"no model at \./nowhere"):
        load_transformer("m", "./nowhere", CPU)


def test_a_hub_id_that_cannot_be_reached_is_refused_with_its_name(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(BadModel, match="nobody/nothing"):
        load_transformer("m", "nobody/nothing", CPU)


def test_one_word_and_one_row_work(bert_folder):
    model = load_transformer("m", str(bert_folder), CPU)
    assert model.outputs([model.encode(read("Yes")).row()]).shape == (1, 3)


def test_names_of_classes_that_do_not_fit_the_model_are_refused_when_it_is_loaded(bert_folder):
    with pytest.raises(BadModel, match=r"the classes of m do not fit the model: got 4 \(a, b, c, d\), possible are"):
        load_transformer("m", str(bert_folder), CPU, ("a", "b", "c", "d"))
