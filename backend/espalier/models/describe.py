"""What can be said of a model without loading it: its classes, its limits, its revision, what it can be asked.

The service lists models and addresses results by revision in a process that never imports torch.
"""

import logging
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from espalier.models.catalog import Catalog
from espalier.models.families import Says, families, family_of, questions
from espalier.models.precision import known_mark
from espalier.models.sources import Entry, Source
from espalier.problems import NotSupported
from espalier.settings import settings

_log = logging.getLogger(__name__)


class LooksInside(Protocol):
    """A method, as far as it concerns a model: the questions it asks about the inside."""

    @property
    def name(self) -> str: ...
    @property
    def inspects(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Described:
    """A model's card for programs. What is None is only known once the model was loaded, as for a hub id."""

    entry: Entry
    family: str
    says: Says
    classes: tuple[str, ...] | None
    max_length: int | None
    revision: str | None


def editable(model: Described) -> bool:
    """Whether an interaction of it can be turned round."""
    return model.says == "classes" and model.family in families() and families()[model.family].teachable


def describe(source: Source) -> Described:
    """Read what the model's files say of it; nothing is loaded."""
    family = family_of(source)
    facts = family.describe(source)
    mark = known_mark(facts.revision, settings().precision) if family.halves else facts.revision
    return Described(source.entry, family.name, family.says, facts.classes, facts.max_length, mark)


class Shelf:
    """The catalog's models as they can be described, each read once and corrected by whoever loaded it."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._known: dict[str, Described] = {}
        self.problems: dict[str, str] = {}
        """Of models that could not be loaded when somebody last tried."""
        self._reported: set[str] = set()
        self._reading = Lock()

    def described(self) -> list[Described]:
        """All models that can be described, in the order of the catalog. One that cannot (files that are missing or
        broken, or code of another package that fails) is reported once and must not hide the others."""
        found: list[Described] = []
        for entry in self.catalog.entries():
            try:
                found.append(self.get(entry.name))
            except Exception as error:
                if entry.name not in self._reported:
                    self._reported.add(entry.name)
                    _log.warning("model %s cannot be described and is not listed: %s", entry.name, error)
        return found

    def get(self, name: str) -> Described:
        """One model; an unknown name is answered with the known ones."""
        source = self.catalog.source(name)
        with self._reading:
            if name not in self._known:
                self._known[name] = describe(source)
            return self._known[name]

    def suits(self, method: LooksInside, model: Described) -> bool:
        """Whether a model answers all that a method asks about its inside."""
        return set(method.inspects) <= set(questions(model.family))

    def check(self, method: LooksInside, model: Described) -> None:
        """Refuse a method that this model cannot be explained with, and say which models can."""
        if not self.suits(method, model):
            possible = [each.entry.name for each in self.described() if self.suits(method, each)]
            raise NotSupported(
                f"{method.name} looks inside the model, and {model.entry.name} ({model.family}) cannot be asked for "
                f"that: possible models are {', '.join(possible) or 'none'}"
            )

    def loaded(self, name: str, classes: tuple[str, ...], max_length: int, mark: str, family: str = "") -> None:
        """What the loaded model says of itself, which is the truth. Of a hub id not even the family was known before:
        whoever loads it brings its config.json."""
        known = self.get(name)
        if family in families():
            known = replace(known, family=family, says=families()[family].says)
        with self._reading:
            self._known[name] = replace(known, classes=classes, max_length=max_length, revision=mark)
            self.problems.pop(name, None)

    def failed(self, name: str, reason: str) -> None:
        """It cannot be loaded: whoever looks for a model reads why, and the others are there all the same."""
        with self._reading:
            if self.problems.get(name) != reason:
                _log.error("model %s cannot be loaded: %s", name, reason)
            self.problems[name] = reason
