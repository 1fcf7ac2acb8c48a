"""What can be said of a model without loading it: its classes, its limits, its revision, what it can be asked.

The service lists models and addresses results by revision in a process that never imports torch.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from espalier.explain.registry import Method
from espalier.models.backbone import backbone
from espalier.models.catalog import Catalog, Entry
from espalier.models.manifest import read_manifest
from espalier.models.protocol import Family
from espalier.models.revision import revision
from espalier.problems import NotSupported

QUESTIONS: Mapping[Family, tuple[str, ...]] = {
    "transformer": ("gradients", "moved"),
    "adapter": ("gradients", "moved"),
    "bow": ("weights", "moved"),
    "cnn": ("gradients", "rescale", "moved"),
    "lstm": ("gradients", "decompose", "moved"),
    "callable": (),
}
"""What the families answer about their inside: a method suits a model when all that it `inspects` is among these."""


@dataclass(frozen=True, slots=True)
class Described:
    """A model's card for programs. What is None is only known once the model was loaded, as for a hub id."""

    entry: Entry
    family: Family
    classes: tuple[str, ...] | None
    max_length: int | None
    revision: str | None


def describe(entry: Entry, base: Path) -> Described:
    """Read the folder's own description; nothing is loaded. Reading the weights for the revision takes a moment."""
    folder = (base / Path(entry.source).expanduser()).resolve()
    if (folder / "espalier.json").is_file():
        manifest = read_manifest(folder)
        under = [backbone(manifest["backbone"]).sha256] if manifest["family"] == "adapter" else []
        mark = revision(folder, *under)
        return Described(entry, manifest["family"], tuple(manifest["classes"]), manifest["max_length"], mark)
    if (folder / "config.json").is_file():
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        labels = config.get("id2label") or {}
        classes = entry.classes or tuple(labels[key] for key in sorted(labels, key=int)) or None
        return Described(entry, "transformer", classes, config.get("max_position_embeddings"), revision(folder))
    return Described(entry, "transformer", entry.classes, None, None)


class Shelf:
    """The catalog's models as they can be described, each read once and corrected by whoever loaded it."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._known: dict[str, Described] = {}
        self._reading = Lock()

    def described(self) -> list[Described]:
        """All models, in the order of the catalog."""
        return [self.get(entry.name) for entry in self.catalog.entries()]

    def get(self, name: str) -> Described:
        """One model; an unknown name is answered with the known ones."""
        entry = self.catalog.entry(name)
        with self._reading:
            if name not in self._known:
                self._known[name] = describe(entry, self.catalog.path.parent)
            return self._known[name]

    def suits(self, method: Method, model: Described) -> bool:
        """Whether a model answers all that a method asks about its inside."""
        return set(method.inspects) <= set(QUESTIONS[model.family])

    def check(self, method: Method, model: Described) -> None:
        """Refuse a method that this model cannot be explained with, and say which models can."""
        if not self.suits(method, model):
            possible = [each.entry.name for each in self.described() if self.suits(method, each)]
            raise NotSupported(
                f"{method.name} looks inside the model, and {model.entry.name} ({model.family}) cannot be asked for "
                f"that: possible models are {', '.join(possible) or 'none'}"
            )

    def loaded(self, name: str, classes: tuple[str, ...], max_length: int, mark: str) -> None:
        """What the loaded model says of itself, which is the truth."""
        known = self.get(name)
        with self._reading:
            self._known[name] = replace(known, classes=classes, max_length=max_length, revision=mark)
