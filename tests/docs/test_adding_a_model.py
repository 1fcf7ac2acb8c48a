"""docs/adding-a-model.md is done as it is written, in an empty folder, on a package outside the house."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from espalier.models.backbone import backbone

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-model.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader is: with a model as save_pretrained writes it, and every file that the page shows."""
    here = tmp_path_factory.mktemp("reader")
    torch.manual_seed(0)
    config = BertConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=2)
    BertForSequenceClassification(config).save_pretrained(here / "my-model")
    minilm = backbone("sentence-transformers/all-MiniLM-L6-v2").folder
    AutoTokenizer.from_pretrained(minilm).save_pretrained(here / "my-model")
    for _, code in BLOCKS:
        if named := re.match(r"# (\S+/\S+|catalog\.toml)\n", code):
            file = here / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(code[named.end() :], encoding="utf-8")
    return here


def said(folder: Path) -> dict[str, str]:
    """What each command of the page prints, run in order in one shell; a server would not come to an end."""
    commands = [line for kind, code in BLOCKS if kind == "sh" for line in code.splitlines()]
    found: dict[str, str] = {}
    exported = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{folder / 'installed'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "COLUMNS": "100",
    }
    for command in commands:
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            exported[name] = value
            continue
        if command.startswith("espalier serve"):
            continue
        # Into a folder of its own, not into the environment of the tests.
        offline = "pip install --quiet --no-deps --no-build-isolation --no-index --target installed"
        line = command.replace("pip install", f"{sys.executable} -m {offline}")
        done = subprocess.run(line, shell=True, cwd=folder, env=exported, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        found[command] = done.stdout
    return found


def test_the_page_can_be_followed_to_the_letter(folder: Path) -> None:
    printed = said(folder)
    assert "LABEL_0" in printed['espalier predict "A lovely film." --model ./my-model']
    assert "my-model says" in printed['espalier explain "A lovely film." --model ./my-model --method leave-one-out']
    assert "Support tickets" in printed["espalier models"]
    by_name, by_default = (
        printed['espalier predict "My printer burns." --model tickets'],
        printed['espalier predict "My printer burns."'],
    )
    assert "urgent" in by_name
    assert by_name == by_default
    # exp(2) / (exp(2) + exp(-2)): "lovely" is the only word on the list.
    assert re.search(r"positive\s+98\.2%", printed['espalier predict "A lovely film." --model opinions'])
    explained = printed['espalier explain "A lovely film." --model opinions --method leave-one-out']
    assert "“lovely” speaks most" in explained
