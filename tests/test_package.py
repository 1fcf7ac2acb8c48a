"""What `import espalier` gives."""

import os
import subprocess
import sys

import pytest

CALLS = {
    "twice": "first = espalier.explain({0}); second = espalier.explain({0})",
    "after its files are imported": "import espalier.explain.hedge; espalier.explain({0})",
    "by name": "from espalier import explain; explain({0})",
    "beside the client": "espalier.Client; espalier.explain({0})",
}
ARGUMENTS = "'A film.', lambda texts: [[0.5, 0.5] for _ in texts], 'leave-one-out'"


@pytest.mark.slow
def test_explain_can_be_called_whatever_was_imported_before() -> None:
    code = "\n".join(f"import espalier\n{call.format(ARGUMENTS)}" for call in CALLS.values())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("given", "taken"), [({}, "AUTO,STRICT"), ({"MKL_CBWR": "AVX2,STRICT"}, "AVX2,STRICT")])
def test_products_are_told_to_be_strict_unless_said_otherwise(given: dict[str, str], taken: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "MKL_CBWR"} | given
    code = "import espalier, os; print(os.environ['MKL_CBWR'])"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == taken, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("given", "taken"), [({}, "1000"), ({"GOMP_SPINCOUNT": "7"}, "7")])
def test_threads_of_torch_wait_for_a_moment_only_unless_said_otherwise(given: dict[str, str], taken: str) -> None:
    """As the library itself reports it: after torch is loaded it would be too late to say."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
    }
    environment |= {"OMP_DISPLAY_ENV": "VERBOSE", **given}
    done = subprocess.run(
        [sys.executable, "-c", "import espalier, torch"], env=environment, capture_output=True, text=True
    )
    assert f"GOMP_SPINCOUNT = '{taken}'" in done.stderr
    assert "OMP_WAIT_POLICY = 'ACTIVE'" in done.stderr
