"""`espalier serve` with settings that cannot be used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from espalier.settings import Settings


def test_an_engine_without_an_address_says_what_is_missing() -> None:
    with pytest.raises(ValidationError, match="ESPALIER_RAY_ADDRESS, possible is an address such as head:6379"):
        Settings(engine="ray")


def test_an_engine_that_is_not_installed_says_what_to_do(tmp_path: Path) -> None:
    """In one line; Python is told of a `ray` that is not there."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfound = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'ray' else found(name, *rest)\n",
        encoding="utf-8",
    )
    environment = os.environ | {
        "PYTHONPATH": str(tmp_path),
        "ESPALIER_ENGINE": "ray",
        "ESPALIER_RAY_ADDRESS": "127.0.0.1:1",
        "ESPALIER_DATA": str(tmp_path),
    }
    command = [str(Path(sys.executable).with_name("espalier")), "serve", "--port", "0"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 2
    assert ended.stderr.startswith(
        "error: Ray is not installed: got ESPALIER_ENGINE=ray, possible is after pip install"
    )
    assert len(ended.stderr.strip().splitlines()) == 1


def test_workers_of_a_model_are_counted() -> None:
    assert Settings(ray_model_workers="sst2-bow=2, org/model=1").ray_model_workers == {"sst2-bow": 2, "org/model": 1}
    with pytest.raises(ValidationError):
        Settings(ray_model_workers="sst2-bow")
