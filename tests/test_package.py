"""What `import espalier` gives."""

import subprocess
import sys

CALLS = {
    "twice": "first = espalier.explain({0}); second = espalier.explain({0})",
    "after its files are imported": "import espalier.explain.hedge; espalier.explain({0})",
    "by name": "from espalier import explain; explain({0})",
    "beside the client": "espalier.Client; espalier.explain({0})",
}
ARGUMENTS = "'A film.', lambda texts: [[0.5, 0.5] for _ in texts], 'leave-one-out'"


def test_explain_can_be_called_whatever_was_imported_before() -> None:
    code = "\n".join(f"import espalier\n{call.format(ARGUMENTS)}" for call in CALLS.values())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
