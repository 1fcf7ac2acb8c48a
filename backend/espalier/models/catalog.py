"""What is served: a TOML file, one entry a model. An entry is all it takes to add one.

    [models.my-classifier]
    title = "Support tickets"
    source = "/srv/models/tickets"          # a folder, or a hub id such as "org/name"
    description = "Urgent or not, from 40,000 tickets."
    examples = "sentiment"                  # optional: whose sample sentences suit it

The shipped models are listed in `models/catalog.toml`; ESPALIER_CATALOG names another file to use instead. Installed
packages add models with entry points of the group `espalier.models`, each of which gives the path of such a file. A
model can also be named by its folder or hub id directly, without any entry. Models that were edited here
(`espalier edit`) are listed behind all others, beside their originals, from the moment they are made until they are
undone.
"""

import json
import threading
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from espalier.extensions import extensions, report
from espalier.models.families import load_model
from espalier.models.protocol import HostedModel
from espalier.models.sources import Entry, Source, is_direct, source_of
from espalier.problems import BadModel, UnknownName
from espalier.settings import settings

if TYPE_CHECKING:
    import torch  # listing what is served must not take the seconds torch takes to import


class Catalog:
    """Models by name, and those loaded, each once. Those that were named directly come first."""

    def __init__(
        self,
        path: Path,
        device: "torch.device | None" = None,
        direct: Sequence[str] = (),
        edits: Path | None = None,
    ) -> None:
        self.path = path
        self.direct = tuple(direct)
        self._edits = edits
        self._device = device
        listed = {source.name: source for source in _read(path)}
        for source in _from_packages():
            if source.name in listed:
                report(source.name, "espalier.models", "a second model of this name; possible is another name")
            else:
                listed[source.name] = source
        self._sources: dict[str, Source] = {}
        for given in direct:
            source = source_of(given, listed | self._sources)
            self._sources[source.name] = source
        self._sources |= listed
        self._loaded: dict[str, HostedModel] = {}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._changing = threading.Lock()

    @property
    def edits(self) -> Path | None:
        """Where models that are edited here are kept; None where none are looked for."""
        return self._edits

    @property
    def device(self) -> "torch.device":
        if self._device is None:
            from espalier.models.device import default_device

            self._device = default_device()
        return self._device

    def entries(self) -> list[Entry]:
        return [source.entry for source in self._all().values()]

    def entry(self, name: str) -> Entry:
        return self.source(name).entry

    @property
    def first(self) -> str:
        """The model that is meant when none is named."""
        try:
            return next(iter(self._sources))
        except StopIteration:
            raise BadModel(f"no models: got an empty catalog {self.path}, possible is an entry [models.…]") from None

    def choose(self, given: str | None) -> str:
        """The name of the model that a person means: the first one when nothing is given; one of the catalog; or a
        folder or hub id, which belongs to the catalog from now on."""
        if given is None:
            return self.first
        if given in self._all() or not is_direct(given):
            return self.source(given).name
        with self._changing:
            source = source_of(given, self._sources)
            return self._sources.setdefault(source.name, source).name

    def source(self, name: str) -> Source:
        if name in self._sources:
            return self._sources[name]
        if (found := self._all()).get(name) is None:
            raise UnknownName("model", name, found)
        return found[name]

    def load(self, name: str) -> HostedModel:
        """The model, from memory after the first time."""
        source = self.source(name)
        with self._changing:
            loading = self._locks[name]
        with loading:
            if name not in self._loaded:
                self._loaded[name] = load_model(source, self.device)
            return self._loaded[name]

    def forget(self, name: str) -> None:
        """Load the model anew when it is asked for next: its files are others now."""
        with self._changing:
            self._loaded.pop(name, None)

    def _all(self) -> dict[str, Source]:
        """Edits come and go while a server runs, made by other processes: they are looked for each time."""
        if self._edits is None:
            return self._sources
        found = {name: source for name, source in self._sources.items() if not _is_undone(source, self._edits)}
        for folder, edit in kept_edits(self._edits):
            original = found.get(edit["of"])
            known = original.entry if original is not None else None
            words = " … ".join(map(str, edit.get("words", ())))
            entry = Entry(
                name=folder.name,
                title=str(edit.get("title") or f"{known.title if known else edit['of']}, edited"),
                source=str(folder),
                description=f"{edit['of']} with what “{words}” say together turned round.",
                examples=known.examples if known else None,
            )
            # One that was named by its folder before is the same model, better described.
            if folder.name not in found or found[folder.name].folder == folder.resolve():
                found[folder.name] = Source(entry, folder.parent)
        return found


def _is_undone(source: Source, edits: Path) -> bool:
    """Named by its folder before, which is no longer there."""
    return Path(source.entry.source).parent == edits and not Path(source.entry.source).exists()


def kept_edits(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The edits in a folder, each with what it says of itself. Half a folder, of one that is being made, is none: such
    have names that begin with a dot."""
    found: list[tuple[Path, dict[str, Any]]] = []
    for path in sorted(folder.glob("[!.]*/espalier.json")):
        with suppress(OSError, ValueError):
            edit = json.loads(path.read_text(encoding="utf-8")).get("edit")
            if isinstance(edit, dict) and "of" in edit:
                found.append((path.parent, edit))
    return found


def _read(path: Path) -> list[Source]:
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get("models", {})
    except FileNotFoundError as error:
        raise BadModel(f"no catalog: got {path}, set ESPALIER_CATALOG to a TOML file") from error
    except tomllib.TOMLDecodeError as error:
        raise BadModel(f"unreadable catalog {path}: {error}") from error
    try:
        return [Source(Entry(name=name, **fields), path.parent) for name, fields in listed.items()]
    except (ValidationError, TypeError) as error:
        raise BadModel(f"bad entry in catalog {path}: {error}") from error


def _from_packages() -> list[Source]:
    """Models of installed packages; a package whose list cannot be read is reported and left out."""
    found: list[Source] = []
    for name, offered in extensions("espalier.models").items():
        try:
            found += _read(_path_of(offered))
        except Exception as error:  # anything can be wrong with other people's files
            report(name, "espalier.models", str(error))
    return found


def _path_of(offered: Any) -> Path:
    if not isinstance(offered, str | Path):
        raise BadModel(f"a {type(offered).__name__}; possible is the path of a catalog file")
    return Path(offered)


_shared: dict[tuple[Path, tuple[str, ...], Path], Catalog] = {}
_sharing = threading.Lock()


def catalog() -> Catalog:
    """The catalog the settings name, one for the process."""
    chosen = settings()
    with _sharing:
        key = chosen.catalog, chosen.models, chosen.edits
        if key not in _shared:
            _shared[key] = Catalog(chosen.catalog, direct=chosen.models, edits=chosen.edits)
        return _shared[key]


def default_model() -> str:
    """What a request means that names no model: the first of the catalog."""
    return catalog().first
