"""For all tests: no model hub, and the same patience on a slow machine as on a fast one."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from tests.serving import serving
from tests.store.postgres import Postgres

# What is shipped must be enough. Set before anything imports transformers.
os.environ["HF_HUB_OFFLINE"] = "1"

# Servers under test keep nothing in the user's own folder.
os.environ["ESPALIER_DATA"] = tempfile.mkdtemp(prefix="espalier-tests-")
atexit.register(shutil.rmtree, os.environ["ESPALIER_DATA"], ignore_errors=True)

settings.register_profile("espalier", deadline=None)
settings.load_profile("espalier")


SERVED = tuple(Path(__file__).with_name(folder) for folder in ("browser", "faults", "proxy"))
"""Folders whose tests all start servers."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a server of its own (ours, two of them, PostgreSQL or Ray) is slow without being marked one by one."""
    for item in items:
        needs = set(getattr(item, "fixturenames", ()))
        if (
            needs & {"service", "postgres"}
            or "[postgresql" in item.name
            or "[ray" in item.name
            or "[replicas" in item.name
            or any(item.path.is_relative_to(each) for each in SERVED)
        ):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module", autouse=True)
def nothing_stays_in_the_catalog() -> Iterator[None]:
    """A model that a test chose by its folder, as people do, belongs to the process's catalog from then on. The tests
    of other files that happen to come after it on the same process are not to be offered it."""
    from espalier.models.catalog import catalog

    before = {entry.name for entry in catalog().entries()}
    yield
    for name in {entry.name for entry in catalog().entries()} - before:
        from espalier.library import shared_explainer

        shared_explainer().put_away(name)
        del catalog()._sources[name]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL that all tests share; each takes a database of its own."""
    started = Postgres()
    yield started
    started.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of `espalier serve` with the shipped models: a process of its own, on a free port, with its own data."""
    with serving(tmp_path_factory.mktemp("service")) as address:
        yield address
