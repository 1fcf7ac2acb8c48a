"""The shipped transformer as plain transformers load it, and ten prompts that all coalitions can be run of."""

from functools import cache

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from benchmarks.truth.brute_force import BruteForce, Truth
from benchmarks.truth.compared import Question
from espalier.commands.first_use import wait_until_ready
from espalier.models.catalog import catalog
from espalier.models.causal.model import CausalModel
from espalier.models.causal.transformer import CausalTransformer
from espalier.models.families import load_in_full
from espalier.text import read

START = "<|endoftext|>"

QUESTIONS = (
    Question("The capital of France is", " Paris"),
    Question("She opened the door and saw", " a"),
    Question("Water boils at one hundred degrees", " Celsius", " Fahrenheit"),
    Question("My brother plays the guitar and the", " drums"),
    Question("The doctor told him to drink more", " water"),
    Question("Once upon a time there was a little", " girl", " boy"),
    Question("I loved the book, but the movie was", " terrible"),
    Question("The capital city of the island of Iceland is", " Reykjavik"),
    Question("After the long war the two countries signed a peace", " treaty"),
    Question("The common lobster lives in the eastern Atlantic Ocean and parts", " of"),
)
"""Of 5 to 11 words: some likely, some not, two contrasts, and a word of several tokens."""


@cache
def shipped() -> CausalModel:
    wait_until_ready(catalog().source("smollm2"))
    model = catalog().load("smollm2")
    assert isinstance(model, CausalModel)
    return model


@cache
def precisely() -> CausalModel:
    """The same, all of it computed in double precision."""
    model = load_in_full(catalog().source("smollm2"), torch.device("cpu"))
    assert isinstance(model, CausalModel)
    assert isinstance(model.network, CausalTransformer)
    network = model.network.network.double()
    network.set_attn_implementation("sdpa")
    model.network = CausalTransformer(model.name, network, model.device, model.max_length)
    return model


@cache
def plain(precision: torch.dtype) -> PreTrainedModel:
    """The same weights, from their folder, with transformers' own attention."""
    network: PreTrainedModel = AutoModelForCausalLM.from_pretrained(_folder(), dtype=precision).eval()
    return network


def truth_of(question: Question, precision: torch.dtype = torch.float32) -> Truth:
    """In the model's own precision, or in double: texts that nobody would write can be beyond single precision."""
    model = shipped()
    tokenizer = AutoTokenizer.from_pretrained(_folder())
    expected = [tokenizer.convert_tokens_to_ids(START), *tokenizer(question.text, add_special_tokens=False).input_ids]
    if list(model.encode(read(question.text)).ids) != expected:
        raise SystemExit(f"other tokens than the tokenizer's own: got another list for {question.text!r}")
    tokens, against = (
        tuple(tokenizer(word, add_special_tokens=False).input_ids) if word else None
        for word in (question.outcome, question.against)
    )
    assert tokens is not None
    return Truth(BruteForce(plain(precision), model, question.text), tokens, against)


def _folder() -> str:
    return str(shipped().network.network.config._name_or_path)  # type: ignore[attr-defined]
