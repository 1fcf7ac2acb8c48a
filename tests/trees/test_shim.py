"""The parser is imported behind the first answers: what it hides from its own libraries, others must find."""

import importlib
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from espalier.trees.shim import _without


def test_what_is_hidden_from_one_thread_another_can_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_for_others.py").write_text("FOUND = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found: list[bool] = []
    with _without("only_for_others"):
        with pytest.raises(ImportError):
            importlib.import_module("only_for_others")
        thread = threading.Thread(target=lambda: found.append(importlib.import_module("only_for_others").FOUND))
        thread.start()
        thread.join()
    assert found == [True]
    assert importlib.import_module("only_for_others").FOUND
    monkeypatch.delitem(sys.modules, "only_for_others")


@pytest.mark.slow
def test_the_parser_is_imported_without_what_its_libraries_look_for() -> None:
    code = "import sys, espalier.trees.shim; sys.exit('sklearn' in sys.modules or 'scipy.stats' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
