"""Workers of the engine under test are scripted: see `scripted_worker.py`."""

import sys
from pathlib import Path

import pytest

from espalier.engine.crews.embedded import process

SCRIPT = Path(__file__).with_name("scripted_worker.py")


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if "scripts" in request.fixturenames:
        return  # houses that outlive a test have marks that do
    monkeypatch.setattr(process, "PROGRAM", [sys.executable, str(SCRIPT)])
    monkeypatch.setenv("HALF_SAID", str(tmp_path / "half-said"))
