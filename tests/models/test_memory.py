"""Memory that really runs out, in processes that may have only so much: whoever asks is told so, and asks again."""

import os
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold a process to so much memory"),
]

SHORT = """
import resource, sys
from contextlib import contextmanager
from pathlib import Path
import numpy as np, torch
from espalier.models.outcomes import Outcomes
from espalier.problems import NoMemory
torch.set_num_threads(1)

@contextmanager
def with_only(megabytes):
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * 2**20, resource.RLIM_INFINITY))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

def told(ask):
    try:
        ask()
    except NoMemory as problem:
        print(problem)
"""

NEXT_WORDS = """
from tests.models.causal.conftest import network, tokenizer
from espalier.models.causal.load import wrap
model = wrap("tiny", network("gpt2"), tokenizer(), "r", torch.device("cpu"))
TEXT = "the film was" + " good" * 40
"""

BLANK = """
from tests.models.masked.made import network, tokenizer
from espalier.models.masked.model import MaskedModel
model = MaskedModel("tiny", network(), tokenizer(), "r", torch.device("cpu"))
TEXT = "the film is [MASK]" + " good" * 40
"""

ASKED = """
from espalier.engine.host import ModelHost
from espalier.models.predict import predict
from espalier.models.protocol import TokenRow
from espalier.text import read
before = predict(model, TEXT).probabilities
encoding = model.encode(read(TEXT))
outcomes = model.choose(encoding)
row = encoding.row()
ids = np.random.default_rng(0).integers(1, 9, (4_000, len(row.ids)))
rows = [row._replace(ids=each) for each in ids]
with ModelHost(model, batch_tokens=10**9) as host:
    host.evaluate([row], outcomes)
    with with_only(48):
        told(lambda: predict(model, TEXT, outputs=lambda _, asked: model.outputs(rows, asked)))
        told(lambda: host.evaluate(rows, outcomes))
        told(lambda: host.consult(lambda: model.outputs(rows, outcomes)).future.result())
print(predict(model, TEXT).probabilities == before)
"""

LOADED = """
import tempfile
from transformers import GPT2Config, GPT2LMHeadModel
from tests.models.causal.conftest import tokenizer
from espalier.models.families import load_model
from espalier.models.sources import Entry, Source
folder = Path(tempfile.mkdtemp())
sizes = GPT2Config(vocab_size=60_000, n_embd=512, n_layer=1, n_head=4, bos_token_id=0, eos_token_id=0)
GPT2LMHeadModel(sizes).save_pretrained(folder)
tokenizer().save_pretrained(folder)
source = Source(Entry(name="tiny", title="Tiny", source=str(folder)), folder)
load_model(source, torch.device("cpu"))
with with_only(48):
    told(lambda: load_model(source, torch.device("cpu")))
print(load_model(source, torch.device("cpu")).name == "tiny")
"""

SAID = "out of memory: got no room for tiny on cpu; possible are a shorter text, fewer texts or words at once, a "


def run(*script: str) -> list[str]:
    # Threads take memory for later in one piece otherwise.
    few = os.environ | {"MALLOC_ARENA_MAX": "1"}
    done = subprocess.run([sys.executable, "-c", "".join(script)], capture_output=True, text=True, check=False, env=few)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("kind", [NEXT_WORDS, BLANK], ids=["next words", "a blank"])
def test_a_lack_of_memory_is_said_to_be_one_and_leaves_the_model_as_it_was(kind: str) -> None:
    *said, same = run(SHORT, kind, ASKED)
    assert len(said) == 3
    assert all(each.startswith(SAID) for each in said)
    assert same == "True"


def test_a_model_too_large_to_load_is_said_to_be_so() -> None:
    (said, later) = run(SHORT, LOADED)
    assert said.startswith(SAID)
    assert later == "True"
