"""What people expect of a project says the same everywhere."""

import re
import tomllib
from pathlib import Path

import yaml

from espalier.places import MODELS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_names_the_version_and_the_licence_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])


def test_the_changelog_has_the_version_of_the_package() -> None:
    assert f"## {PROJECT['version']}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_notice_names_every_shipped_model() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    assert [folder.name for folder in MODELS.iterdir() if folder.is_dir() and folder.name not in notice] == []


def test_the_workflow_and_the_guide_name_commands_that_there_are() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8"))
    run = {step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step}
    assert run == {"make check", "make test"}
    for page in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"(?:^|`)make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= targets, page


def test_the_hooks_are_the_projects_own_and_fetch_nothing() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repository["repo"] for repository in hooks] == ["local"]
