"""What is served: a TOML file, one entry a model. An entry is all it takes to add one.

    [models.my-classifier]
    title = "Support tickets"
    source = "/srv/models/tickets"          # a folder, or a hub id such as "org/name"
    description = "Urgent or not, from 40,000 tickets."
    examples = "sentiment"                  # optional: whose sample sentences suit it

The shipped models are listed in `models/catalog.toml`; ESPALIER_CATALOG names another file to use instead.
"""

import threading
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from espalier.models.manifest import read_manifest
from espalier.models.protocol import HostedModel
from espalier.problems import BadModel, UnknownName
from espalier.settings import settings

if TYPE_CHECKING:
    import torch  # listing what is served must not take the seconds torch takes to import


class Entry(BaseModel):
    """A model as the catalog file describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    source: str = Field(description="A folder (relative to the catalog file) or a hub id.")
    description: str = ""
    examples: str | None = Field(default=None, description="The task whose sample sentences suit this model.")
    classes: tuple[str, ...] | None = Field(default=None, description="Readable class names, where the model has none.")


class Catalog:
    """Entries by name, and the models loaded from them, each once."""

    def __init__(self, path: Path, device: "torch.device | None" = None) -> None:
        self.path = path
        self._device = device
        self._entries = {entry.name: entry for entry in _read(path)}
        self._loaded: dict[str, HostedModel] = {}
        self._locks = {name: threading.Lock() for name in self._entries}

    @property
    def device(self) -> "torch.device":
        if self._device is None:
            from espalier.models.device import default_device

            self._device = default_device()
        return self._device

    def entries(self) -> list[Entry]:
        return list(self._entries.values())

    def entry(self, name: str) -> Entry:
        if name not in self._entries:
            raise UnknownName("model", name, self._entries)
        return self._entries[name]

    def load(self, name: str) -> HostedModel:
        """The model, from memory after the first time."""
        entry = self.entry(name)
        with self._locks[name]:
            if name not in self._loaded:
                self._loaded[name] = load_model(entry, self.path.parent, self.device)
            return self._loaded[name]


def load_model(entry: Entry, base: Path, device: "torch.device") -> HostedModel:
    """Load by what the source is: a folder of this project, a folder of Hugging Face's form, or a hub id."""
    folder = (base / Path(entry.source).expanduser()).resolve()
    if (folder / "espalier.json").is_file():
        # The families are imported when one is needed: peft alone takes seconds.
        if read_manifest(folder)["family"] == "adapter":
            from espalier.models.adapter import load_adapter

            return load_adapter(entry.name, folder, device)
        from espalier.models.word_model import load_word_model

        return load_word_model(entry.name, folder, device)
    from espalier.models.transformer import load_transformer

    return load_transformer(entry.name, str(folder) if folder.exists() else entry.source, device, entry.classes)


def _read(path: Path) -> list[Entry]:
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get("models", {})
    except FileNotFoundError as error:
        raise BadModel(f"no catalog: got {path}, set ESPALIER_CATALOG to a TOML file") from error
    except tomllib.TOMLDecodeError as error:
        raise BadModel(f"unreadable catalog {path}: {error}") from error
    try:
        return [Entry(name=name, **fields) for name, fields in listed.items()]
    except (ValidationError, TypeError) as error:
        raise BadModel(f"bad entry in catalog {path}: {error}") from error


_shared: dict[Path, Catalog] = {}


def catalog() -> Catalog:
    """The catalog the settings name, one for the process."""
    path = settings().catalog
    return _shared.setdefault(path, Catalog(path)) if path not in _shared else _shared[path]
