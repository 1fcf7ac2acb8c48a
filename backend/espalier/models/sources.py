"""Where a model comes from, and what can be said of it without loading it."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from espalier.problems import BadModel


class Entry(BaseModel):
    """A model as the catalog file describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    source: str = Field(description="A folder (relative to the catalog file) or a hub id.")
    description: str = ""
    examples: str | None = Field(default=None, description="The task whose sample sentences suit this model.")
    classes: tuple[str, ...] | None = Field(default=None, description="Readable class names, where the model has none.")
    family: str | None = Field(default=None, description="The family that loads it, where its files do not say so.")


@dataclass(frozen=True)
class Source:
    """An entry, and the folder that it counts from."""

    entry: Entry
    base: Path

    @property
    def name(self) -> str:
        return self.entry.name

    @cached_property
    def folder(self) -> Path | None:
        """The model's folder; None when the entry names a model on the hub."""
        folder = (self.base / Path(self.entry.source).expanduser()).resolve()
        return folder if folder.is_dir() else None

    def own_folder(self) -> Path:
        """The model's folder, for families that are read from one."""
        if self.folder is None:
            raise BadModel(f"no model at {self.entry.source}: got no such folder, possible is a folder of model files")
        return self.folder

    @property
    def config(self) -> dict[str, Any]:
        """`config.json` as transformers writes it, from the folder or from the hub's cache; empty when there is none.
        The hub itself is not asked."""
        path = self._cached_config() if self.folder is None else self.folder / "config.json"
        if path is None or not path.is_file():
            return {}
        try:
            config = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadModel(f"unreadable config.json in {path.parent}: {error}") from error
        return config if isinstance(config, dict) else {}

    def is_a(self, head: str) -> bool:
        """Whether the files say that the model has a certain head, such as ForSequenceClassification."""
        return any(str(each).endswith(head) for each in self.config.get("architectures") or ())

    def fetch_config(self) -> None:
        """Bring `config.json` of a model on the hub into the cache, so that its family can be recognised."""
        if self.folder is None and looks_like_hub_id(self.entry.source) and not self.config:
            from huggingface_hub import hf_hub_download

            with suppress(Exception):  # offline, unknown, forbidden: the loader that is tried next says it better
                hf_hub_download(self.entry.source, "config.json")

    def _cached_config(self) -> Path | None:
        if not looks_like_hub_id(self.entry.source):
            return None
        from huggingface_hub import try_to_load_from_cache  # only hub models are worth the import

        found = try_to_load_from_cache(self.entry.source, "config.json")
        return Path(found) if isinstance(found, str) else None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a family reads from a source. What is None is only known once the model was loaded, as for a hub id."""

    classes: tuple[str, ...] | None = None
    max_length: int | None = None
    revision: str | None = None


def looks_like_hub_id(source: str) -> bool:
    """`org/name`, or a bare name: nothing that can only be a path."""
    return source.count("/") <= 1 and not source.startswith((".", "/", "~")) and not source.endswith("/")


def is_direct(given: str) -> bool:
    """Whether a person named a model by where it is: a folder, or a hub id with its owner."""
    return "/" in given or "\\" in given or given.startswith(("~", ".")) or Path(given).is_dir()


def source_of(given: str, known: Mapping[str, "Source"]) -> Source:
    """A model that has no entry. It is called by the last part of where it is, and numbered where others are called
    so: a second folder `model` becomes `model-2`."""
    folder = Path(given).expanduser()
    if not folder.is_dir() and not looks_like_hub_id(given):
        raise BadModel(f"no model: got {given!r}, possible is a folder that is there or a hub id such as org/name")
    where = str(folder.resolve()) if folder.is_dir() else given
    name = re.sub(r"[^\w.-]+", "-", Path(where).name) or "model"
    described = "A folder on this machine." if folder.is_dir() else "A model of the hub."
    for number in count(1):
        numbered = name if number == 1 else f"{name}-{number}"
        source = Source(Entry(name=numbered, title=numbered, source=where, description=described), Path.cwd())
        if known.get(numbered, source).entry.source == where:
            return source
    raise AssertionError("there are numbers enough")
