"""docs/adding-a-reference.md is done as it is written, in an empty folder, on a package outside the house."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from espalier import samples
from espalier.models.catalog import catalog
from espalier.models.predict import predict
from espalier.text import read

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-reference.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The explanation that the page's command gives, as JSON."""
    here = tmp_path_factory.mktemp("reader")
    for _, code in BLOCKS:
        if named := re.match(r"# (\S+)\n", code):
            file = here / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(code[named.end() :], encoding="utf-8")
    install, explain = next(code for kind, code in BLOCKS if kind == "sh").splitlines()
    offline = "pip install --quiet --no-deps --no-build-isolation --no-index --target installed"
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{here / 'installed'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
    }
    said = ""
    for command in (install.replace("pip install", f"{sys.executable} -m {offline}"), f"{explain} --json"):
        done = subprocess.run(command, shell=True, cwd=here, env=environment, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        said = done.stdout
    return said


def test_absent_words_are_those_of_the_sentence_the_other_model_finds_calmest(printed: str) -> None:
    explanation = json.loads(printed)
    judge, model = catalog().load("sst2-bow"), catalog().load("sst2-cnn")
    sentences = [sample.text for sample in samples.for_task("sentiment")[:20]]
    calm = min(sentences, key=lambda text: abs(predict(judge, text).probabilities[0] - 0.5))
    words = [word.text for word in read(calm).words]
    own = [word["text"] for word in explanation["words"]]
    target = explanation["target"]
    without = [" ".join([*own[:place], words[place % len(words)], *own[place + 1 :]]) for place in range(len(own))]
    full = predict(model, " ".join(own)).probabilities[target]
    expected = [full - predict(model, text).probabilities[target] for text in without]
    np.testing.assert_allclose(explanation["result"]["values"], expected, atol=1e-6)
    assert explanation["reference"] == "calm"
    # Each of two rows of asks, all words and then all but one, has the judge read twenty sentences.
    assert explanation["evaluations"]["elsewhere"] % 20 == 0
    assert explanation["evaluations"]["elsewhere"] > 0
