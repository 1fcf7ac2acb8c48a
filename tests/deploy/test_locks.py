"""What is installed is what was tested: every package has its version and the hashes of its files."""

import json
import re

import pytest
from deploy.wheel import ROOT

LISTS = sorted(ROOT.glob("requirements*.txt"))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_a_lock_has_hashes_for_the_very_versions_of_its_list(path):
    locked = path.with_suffix(".lock").read_text(encoding="utf-8")
    assert re.findall(r"^(\S+==\S+)", locked, re.MULTILINE) == path.read_text(encoding="utf-8").split()
    for entry in re.split(r"\n(?=\S)", locked.partition("\n")[2].strip()):
        assert re.fullmatch(r"\S+==\S+( \\\n    --hash=sha256:[0-9a-f]{64})+", entry), entry[:200]


def test_every_package_of_the_interface_has_a_hash_but_builds_for_other_systems():
    packages = json.loads((ROOT / "frontend/package-lock.json").read_text(encoding="utf-8"))["packages"]
    without = {name for name, said in packages.items() if name and "integrity" not in said}
    assert {name for name in without if not packages[name].get("optional")} == set()
    assert {name for name in without if re.search(r"linux-(x64|arm64)", name)} == set()


def test_the_interfaces_lock_lists_every_build_of_every_tool():
    """`npm ci` refuses one that does not."""
    packages = json.loads((ROOT / "frontend/package-lock.json").read_text(encoding="utf-8"))["packages"]
    listed = {name.rpartition("node_modules/")[2] for name in packages}
    assert {each for said in packages.values() for each in said.get("optionalDependencies", ())} - listed == set()
