"""SHAP values of a next word by other libraries, as they are used on the same model: whole texts, one after the other
or in padded batches, through plain transformers. Absent words are cut out by all, and a text begins after the start
token."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shap
import shapiq
import torch
from captum.attr import FeatureAblation, LLMAttribution, ShapleyValueSampling, TextTemplateInput
from numpy.typing import NDArray

from benchmarks.contestants import first_order
from espalier.models.causal.model import CausalModel
from espalier.models.causal.writing import SubwordWriting
from espalier.scale import Scale
from espalier.text import read

FloatArray = NDArray[np.float64]
BATCH = 64


class Prompt:
    """A prompt as other libraries get it: a network, a tokenizer, words with their spaces, and a next word."""

    def __init__(self, model: CausalModel, text: str, outcome: str) -> None:
        assert isinstance(model.writing, SubwordWriting)
        passage = read(text)
        ends = [0, *(word.end for word in passage.words)]
        self.words = [text[start : word.end] for start, word in zip(ends, passage.words, strict=False)]
        self.outcome = outcome
        self.network = model.network.network  # type: ignore[attr-defined]
        self.tokenizer = model.writing.tokenizer
        self.start = str(self.tokenizer.convert_ids_to_tokens(model.writing.start))
        (self.token,) = model.writing.tokens_of(outcome)

    def text(self, present: NDArray[np.bool_]) -> str:
        return self.start + "".join(word for word, there in zip(self.words, present, strict=True) if there)

    def log_odds(self, coalitions: NDArray[np.bool_]) -> FloatArray:
        inside = self.log_probability(coalitions)
        return inside - np.log(-np.expm1(inside))

    def log_probability(self, coalitions: NDArray[np.bool_]) -> FloatArray:
        """In padded batches: what somebody writes who has a model and a library of estimators."""
        found: list[FloatArray] = []
        for start in range(0, len(coalitions), BATCH):
            texts = [self.text(row) for row in coalitions[start : start + BATCH]]
            rows = [self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
            longest = max(map(len, rows))
            ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
            seen = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
            with torch.inference_mode():
                logits = self.network(input_ids=ids, attention_mask=seen).logits
            last = logits[torch.arange(len(rows)), seen.sum(1) - 1].double()
            found.append(torch.log_softmax(last, dim=1)[:, self.token].numpy())
        return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody who estimates the values of a prompt's words: in which scale, and which method of this project's."""

    name: str
    scale: Scale
    estimate: Callable[[Prompt, int, int], FloatArray]
    method: str = "shap"
    budget: int | None = None
    """Texts for each word, and one, where there is nothing to choose."""


def _captum(method: type) -> Callable[[Prompt, int, int], FloatArray]:
    def estimate(prompt: Prompt, budget: int, seed: int) -> FloatArray:
        torch.manual_seed(seed)
        size = len(prompt.words)
        asked = TextTemplateInput(prompt.start + "{}" * size, prompt.words, baselines=[""] * size)
        more = {"n_samples": max(1, budget // size)} if method is ShapleyValueSampling else {}
        attribution = LLMAttribution(method(prompt.network), prompt.tokenizer)
        found = attribution.attribute(asked, target=torch.tensor([prompt.token]), **more)
        values: FloatArray = found.seq_attr.double().numpy().reshape(-1)
        return values

    return estimate


class _Words(shap.maskers.Masker):  # type: ignore[misc]
    """Texts with words cut out."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self.shape = (1, len(prompt.words))
        self.clustering = None

    def mask_shapes(self, *_: object) -> list[tuple[int]]:
        return [(len(self._prompt.words),)]

    def feature_names(self, *_: object) -> list[list[str]]:
        return [self._prompt.words]

    def __call__(self, mask: NDArray[np.bool_], *_: object) -> tuple[NDArray[np.str_]]:
        return (np.array([self._prompt.text(mask)]),)


def _shap(prompt: Prompt, budget: int, seed: int) -> FloatArray:
    forced = shap.models.TeacherForcing(prompt.network, prompt.tokenizer, batch_size=BATCH, device="cpu")
    target = np.array([[prompt.token]])
    masker = shap.maskers.OutputComposite(_Words(prompt), lambda *_: target)
    explainer = shap.explainers.Permutation(forced, masker, seed=seed)
    found = explainer(np.array([prompt.text(np.ones(len(prompt.words), dtype=bool))]), max_evals=budget, silent=True)
    values: FloatArray = np.asarray(found.values[0], dtype=np.float64).reshape(len(prompt.words))
    return values


def _shapiq(prompt: Prompt, budget: int, seed: int) -> FloatArray:
    size = len(prompt.words)
    base = float(prompt.log_odds(np.zeros((1, size), dtype=bool))[0])
    approximator = shapiq.KernelSHAP(n=size, random_state=seed, pairing_trick=True)
    found = approximator.approximate(budget=budget, game=lambda rows: prompt.log_odds(np.asarray(rows)) - base)
    values: FloatArray = first_order(found, size)
    return values


PEERS = (
    Peer("captum, LLMAttribution, ShapleyValueSampling", "log_probability", _captum(ShapleyValueSampling)),
    Peer("captum, LLMAttribution, FeatureAblation", "log_probability", _captum(FeatureAblation), budget=1),
    Peer("the same, for what it is", "log_probability", _captum(FeatureAblation), "leave-one-out", 1),
    Peer("shap, TeacherForcing, Permutation", "log_odds", _shap),
    Peer("shapiq, KernelSHAP", "log_odds", _shapiq),
)
