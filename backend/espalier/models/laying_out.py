"""Which layers of a network are laid out: gated products, those that read the same rows together, all others alone."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from torch import nn

from espalier.models.gated import gated
from espalier.models.laid_out import Part, Shared, is_plain, laid_out

TOGETHER = (("q_proj", "k_proj", "v_proj"), ("query", "key", "value"), ("gate_proj", "up_proj"))
"""What layers are called that read the same rows, in the architectures of transformers."""


@runtime_checkable
class LaysOut(Protocol):
    """A model of this house, or its network, that can go on with weights laid out."""

    def lay_out(self) -> None: ...


def lay_out(network: nn.Module) -> None:
    """Put laid-out layers in the place of a network's linear ones, as far as this machine's torch has them and they say
    the same."""
    for parent in list(network.modules()):
        for name, child in parent.named_children():
            if (product := gated(child)) is not None:
                setattr(parent, name, product)
    for parent in list(network.modules()):
        children = dict(parent.named_children())
        for names in TOGETHER:
            if all(name in children for name in names) and _similar([children[name] for name in names]):
                _put_together(parent, names)
        for name, child in parent.named_children():
            if (found := laid_out(child)) is not None:
                setattr(parent, name, found)


def _similar(layers: Sequence[nn.Module]) -> bool:
    """Whether layers may be one product: of the same width, all with a bias or none."""
    plain = [layer for layer in layers if is_plain(layer)]
    return len(plain) == len(layers) and len({(each.in_features, each.bias is None) for each in plain}) == 1


def _put_together(parent: nn.Module, names: Sequence[str]) -> None:
    layers: list[Any] = [getattr(parent, name) for name in names]
    product = laid_out(*layers)
    if product is not None:
        shared = Shared(product, [layer.out_features for layer in layers])
        for index, name in enumerate(names):
            setattr(parent, name, Part(shared, index, product))


def lay_out_model(model: Any) -> None:
    """A model that was loaded to be asked, not to be changed, and is not somebody else's."""
    if isinstance(model, LaysOut):
        model.lay_out()
