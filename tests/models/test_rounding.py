"""Half precision: within the stated bound of single precision, the same bits in any company, and never unsaid."""

import numpy as np
import pytest
import torch
from tests.models.causal.conftest import ARCHITECTURES as CAUSAL
from tests.models.causal.conftest import network as causal_network
from tests.models.causal.conftest import tokenizer as causal_tokenizer
from tests.models.masked.made import ARCHITECTURES as MASKED
from tests.models.masked.made import masked_model
from tests.models.test_packing import rows_with_gaps, small

from espalier import samples
from espalier.models.catalog import catalog
from espalier.models.causal.load import wrap
from espalier.models.causal.model import CausalModel
from espalier.models.families import load_in_full
from espalier.models.next_words import LanguageModel
from espalier.models.precision import rounding_of
from espalier.models.probe import coalitions
from espalier.models.protocol import HostedModel, TokenRow
from espalier.models.rounding import lower
from espalier.models.tuning import Lesson, teach
from espalier.problems import BadModel, NotSupported
from espalier.text import read

CPU = torch.device("cpu")


def causal(architecture: str) -> CausalModel:
    return wrap("tiny", causal_network(architecture), causal_tokenizer(), "r", CPU)


MADE = {
    **{f"causal {name}": (lambda name=name: causal(name)) for name in CAUSAL},
    **{f"masked {name}": (lambda name=name: masked_model(name)) for name in MASKED},
    **{f"classifier {name}": (lambda name=name: small(name)) for name in ("Bert", "Roberta", "DistilBert", "Albert")},
}
BLANK = {True: "the film is ___ good and not dull", False: "the music was lovely but the film was not good"}


def asked(model: HostedModel, text: str, count: int, seed: int = 7) -> tuple[list[TokenRow], object]:
    """Coalitions of a text that is not among those a model is tried on at load."""
    encoding = model.encode(read(text))
    outcomes = model.choose(encoding) if isinstance(model, LanguageModel) else None
    return coalitions(encoding, np.random.default_rng(seed), count), outcomes


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("made", "precision"),
    # A processor imitates float16, slowly.
    [*((made, "bfloat16") for made in MADE), ("causal gpt2", "float16"), ("classifier Roberta", "float16")],
)
def test_scores_are_within_the_stated_bound_of_those_in_single_precision(made, precision):
    plain, model = MADE[made](), MADE[made]()
    lower(model, precision)
    rows, outcomes = asked(plain, BLANK[made.startswith("masked")], 60)
    wanted, found = plain.outputs(rows, outcomes), model.outputs(rows, outcomes)
    rounding = rounding_of(model)
    moved = np.abs(found - wanted).max()
    assert 0 < moved <= rounding.error
    # A bound that everything is within would be none.
    assert rounding.error < 0.5 * np.ptp(wanted)
    assert rounding.usual < rounding.error


@pytest.mark.slow
def test_the_shipped_transformer_stays_within_its_bound_on_other_sentences():
    source = catalog().source("sst2-minilm")
    plain, model = load_in_full(source, CPU), load_in_full(source, CPU)
    lower(model, "bfloat16")
    rounding = rounding_of(model)
    assert rounding.error < 0.15
    assert rounding.usual < 0.005
    for number, sample in enumerate(samples.load()[:40]):
        rows, _ = asked(plain, sample.text, 8, seed=number)
        assert np.abs(model.outputs(rows) - plain.outputs(rows)).max() <= rounding.error


@pytest.mark.parametrize("made", ["causal llama", "masked bert", "classifier Bert", "classifier DistilBert"])
def test_the_body_computes_in_half_precision_and_the_head_in_single(made):
    model = MADE[made]()
    lower(model, "bfloat16")
    network = model.network.network if made.startswith("causal") else model.network
    inside = {id(weight) for weight in network.base_model.parameters()}
    kinds = {(id(weight) in inside, weight.dtype) for weight in network.parameters()}
    assert kinds == {(True, torch.bfloat16), (False, torch.float32)}
    rows, outcomes = asked(model, BLANK[made.startswith("masked")], 4)
    scores = model.outputs(rows, outcomes).astype(np.float32)
    # Scores are not rounded to what bfloat16 can say, which has sixteen zeros at its end.
    assert (scores.view(np.uint32) & 0xFFFF).any()


def test_a_head_that_shares_its_table_with_the_body_keeps_it_as_it_was():
    model = causal("gpt2")
    network = model.network.network
    assert network.lm_head.weight is network.transformer.wte.weight
    before = network.lm_head.weight.detach().clone()
    lower(model, "bfloat16")
    assert torch.equal(network.lm_head.weight, before)
    assert network.transformer.wte.weight.dtype == torch.bfloat16


def test_angles_of_positions_are_not_rounded():
    model = causal("llama")
    before = dict(model.network.network.named_buffers())
    lower(model, "bfloat16")
    after = dict(model.network.network.named_buffers())
    assert "model.rotary_emb.inv_freq" in after
    assert all(torch.equal(before[name], each) and before[name].dtype == each.dtype for name, each in after.items())


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("made", ["causal llama", "causal gpt2", "masked bert", "classifier Bert"])
def test_a_row_has_the_same_bits_in_any_company_in_bfloat16(made, count, threads):
    threads(count)
    model = MADE[made]()
    lower(model, "bfloat16")
    rows, outcomes = asked(model, BLANK[made.startswith("masked")], 24)
    together = model.outputs(rows, outcomes)
    for company in (rows[:1], rows[3:10], rows[::-1]):
        wanted = [together[next(index for index, row in enumerate(rows) if row is each)] for each in company]
        if made.startswith("causal"):
            model.network.forget()
        np.testing.assert_array_equal(model.outputs(company, outcomes), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_a_row_of_the_shipped_transformer_has_the_same_bits_in_any_company_in_bfloat16(count, threads):
    threads(count)
    model = load_in_full(catalog().source("sst2-minilm"), CPU)
    lower(model, "bfloat16")
    rows = rows_with_gaps(40)
    together = model.outputs(rows)
    for chosen in (slice(0, 1), slice(3, 10), slice(20, 33)):
        np.testing.assert_array_equal(model.outputs(rows[chosen]), together[chosen])


def test_twice_as_many_tokens_are_remembered_in_half_precision():
    model = causal("llama")
    network = model.network
    before = network._memory.bytes_per_node or _bytes(network)
    lower(model, "bfloat16")
    assert network.shares
    assert _bytes(network) * 2 == before


def _bytes(network) -> int:
    network.ends([TokenRow(np.array([0, 1]), np.array([0, 1]), 2)])
    return network._memory.bytes_per_node


def test_a_model_that_leaves_the_range_of_float16_is_refused():
    model = small("Bert")
    with torch.no_grad():
        model.network.bert.encoder.layer[0].output.dense.weight.mul_(1e6)
    assert np.isfinite(model.outputs(rows_with_gaps(3))).all()
    with pytest.raises(BadModel, match="leaves the range of float16: got numbers that are not finite, possible are"):
        lower(model, "float16")


def test_a_model_in_half_precision_is_not_taught():
    model = small("Bert")
    lower(model, "bfloat16")
    lesson = Lesson(rows_with_gaps(2), np.zeros(2), np.ones(2))
    with pytest.raises(NotSupported, match="taught in single precision: got weights in bfloat16"):
        teach(model, lesson, lesson, 0, rate=1e-3, steps=5, enough=0.1)


def test_models_that_cannot_are_refused(word_folder):
    from espalier.models.sources import source_of

    with pytest.raises(BadModel, match="computes in one way: got bfloat16, possible is float32"):
        lower(load_in_full(source_of(str(word_folder / "cnn"), {}), CPU), "bfloat16")
