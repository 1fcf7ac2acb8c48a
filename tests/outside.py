"""A place where other people's packages are installed, beside the house and unknown to it."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-method.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Outside:
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"PYTHONPATH": os.pathsep.join([str(self.folder / "installed"), str(ROOT / "backend")])}

    def install(self, name: str, files: dict[str, str]) -> None:
        package = self.folder / name
        package.mkdir()
        for path, content in files.items():
            (package / path).write_text(content, encoding="utf-8")
        target = ["--target", str(self.folder / "installed")]
        alone = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check"]
        self.run(sys.executable, "-m", "pip", "install", *target, *alone, str(package))

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command, cwd=self.folder, env=os.environ | self.environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def espalier(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(str(Path(sys.executable).with_name("espalier")), *arguments)


def with_method(folder: Path) -> Outside:
    """The package of docs/adding-a-method.md, built and installed."""
    place = Outside(folder)
    code, *_ = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (pyproject,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    place.install("banzhaf", {"espalier_banzhaf.py": code, "pyproject.toml": pyproject})
    return place
