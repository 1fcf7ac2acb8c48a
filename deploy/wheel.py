"""Build the wheel: the package with the shipped models, the samples and the built interface inside.

    python deploy/wheel.py dist

In a checkout models and interface lie beside the package, where they are made; in the wheel they are in
`espalier/shipped` (see `espalier.places`). The tree that the wheel is built from is put together in a temporary folder,
so that nothing of it can be left over in the next one.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
INTERFACE = ROOT / "frontend" / "dist"
DESCRIPTION = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")


def build(into: Path) -> Path:
    """The wheel's path. The environment's own setuptools is used: nothing is fetched."""
    if not (INTERFACE / "index.html").is_file():
        sys.exit(f"the interface is not built: got no {INTERFACE / 'index.html'}, possible is after `make wheel`")
    with tempfile.TemporaryDirectory(prefix="espalier-wheel-") as name:
        tree = Path(name)
        for file in DESCRIPTION:
            shutil.copy(ROOT / file, tree)
        skipped = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info")
        package = tree / "backend" / "espalier"
        shutil.copytree(ROOT / "backend" / "espalier", package, ignore=skipped)
        shutil.copytree(ROOT / "backend" / "models", package / "shipped" / "models", ignore=skipped)
        _carry_packaged(package / "shipped" / "packages")
        shutil.copytree(INTERFACE, package / "shipped" / "interface")
        made = tree / "made"
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
        subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", made, tree], check=True)
        (wheel,) = made.glob("espalier-*.whl")
        into.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(wheel, into))


def _carry_packaged(into: Path) -> None:
    """Weights that a model's folder names in an installed package, where that package asks for a compiler: whoever
    installs the wheel may have none."""
    for manifest in (ROOT / "backend" / "models").glob("*/espalier.json"):
        said = json.loads(manifest.read_text(encoding="utf-8"))
        if "package" in said:
            spec = find_spec(said["package"])
            if spec is None or not spec.submodule_search_locations:
                sys.exit(
                    f"no weights of {manifest.parent.name}: got no package {said['package']}, see requirements.txt"
                )
            (into / said["package"]).mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(spec.submodule_search_locations[0], said["file"]), into / said["package"])


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / 'dist'))}\n")
