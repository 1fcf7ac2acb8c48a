"""Whether two machines have the same code."""

import shutil
from pathlib import Path

import espalier
from espalier.edition import digest, edition


def copied(folder: Path) -> Path:
    return shutil.copytree(Path(espalier.__file__).parent, folder / "espalier")


def test_a_copy_of_the_code_is_the_same_whatever_was_made_from_it(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    (copy / "engine" / "__pycache__").mkdir(exist_ok=True)
    (copy / "engine" / "__pycache__" / "made.pyc").write_bytes(b"made")
    (copy / "shipped" / "models").mkdir(parents=True)
    (copy / "shipped" / "models" / "weights").write_bytes(b"a wheel brings them")
    assert edition().endswith(f"+{digest(copy)}")


def test_one_letter_makes_other_code_of_the_same_version(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    before = digest(copy)
    (copy / "scale.py").write_text((copy / "scale.py").read_text() + "\n")
    after = digest(copy)
    (copy / "scale.py").rename(copy / "scales.py")
    assert len({before, after, digest(copy)}) == 3
