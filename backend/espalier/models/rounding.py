"""A model taken from single to half precision, and how far that moves its scores.

The body of a network computes in half precision. Its head stays in single precision, and so does every score that is
read: near 20 neighbouring numbers of bfloat16 are an eighth apart, which is more than most words are worth.

How far scores move cannot be derived in a useful way, so it is measured at load, while both are there: some texts, with
some of their words absent, go through the model before and after. The stated bound is `SAFETY` times the largest
difference. It is a measured bound, not a proven one: tests and `benchmarks.gpu` hold it against other texts.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import nn

from espalier.models.outcomes import Outcomes
from espalier.models.precision import Precision, Rounding, marked
from espalier.models.probe import questions
from espalier.models.protocol import FloatArray, HostedModel, TokenRow
from espalier.problems import BadModel

SAFETY = 4.0
"""Of other texts one row in 300 was beyond twice the largest difference of the probe, at most 1.3 times as far, and
none of 14,000 beyond four times: in bfloat16, for the three shipped adapters and a masked language model."""


@runtime_checkable
class Lowers(Protocol):
    """What can go on in half precision: a model of this house, or its network."""

    def lower(self, dtype: torch.dtype) -> None: ...


def lower(model: HostedModel, precision: Precision) -> None:
    """Take a model to half precision, for good. It has another revision then, and says how far it is off."""
    if not isinstance(model, Lowers):
        raise BadModel(f"{model.name} computes in one way: got {precision}, possible is float32")
    asked = questions(model)
    before = [_scores(model, rows, outcomes) for rows, outcomes in asked]
    model.lower(getattr(torch, precision))
    try:
        after = [_scores(model, rows, outcomes) for rows, outcomes in asked]
    except (RuntimeError, TypeError, ValueError) as error:
        raise BadModel(
            f"{model.name} does not compute in {precision}: got {str(error).splitlines()[0]}, possible is float32"
        ) from error
    moved = np.concatenate([np.abs(new - old).max(axis=1) for new, old in zip(after, before, strict=True)])
    if not np.isfinite(moved).all():
        raise BadModel(
            f"{model.name} leaves the range of {precision}: got numbers that are not finite, possible are bfloat16 and "
            "float32"
        )
    known: Any = model
    known.rounding = Rounding(precision, SAFETY * float(moved.max()), float(np.median(moved)), len(moved))
    known.revision = marked(model.revision, precision)


def lower_body(network: nn.Module, dtype: torch.dtype) -> None:
    """The weights of a network's body in half precision; what stands behind it gets single precision, as it has."""
    body = getattr(network, "base_model", network)
    if body is not network:
        inside = {id(weight) for weight in body.parameters()}
        for head in (child for child in network.children() if child is not body):
            _keep_apart(head, inside)
            head.register_forward_pre_hook(_in_single_precision, with_kwargs=True)
    for weight in body.parameters():
        # Not the buffers: tables of angles and positions are not weights, and lose their meaning.
        if weight.is_floating_point():
            weight.data = weight.data.to(dtype)


def _keep_apart(head: nn.Module, inside: set[int]) -> None:
    """Weights that a head shares with the body, as a table of words mostly is, become its own."""
    for module in head.modules():
        for name, weight in list(module.named_parameters(recurse=False)):
            if id(weight) in inside:
                setattr(module, name, nn.Parameter(weight.detach().clone(), requires_grad=weight.requires_grad))


def _in_single_precision(_: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
    return tuple(map(_single, given)), {name: _single(value) for name, value in named.items()}


def _single(value: Any) -> Any:
    return value.float() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def _scores(model: HostedModel, rows: Sequence[TokenRow], outcomes: Outcomes | None) -> FloatArray:
    return np.asarray(model.outputs(rows, outcomes), dtype=np.float64)
