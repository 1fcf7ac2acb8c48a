"""The part of the benchmark that needs a GPU: it runs on a processor as well, where a test can see that it runs."""

import pytest
import torch
from benchmarks.bench import Bench
from benchmarks.gpu import NO_GPU, measure, measured


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_without_a_gpu_one_line_says_so():
    said = measure(Bench(quick=True))
    assert said == NO_GPU
    assert "\n" not in said


@pytest.mark.slow
def test_every_precision_is_measured_and_held_against_its_bound():
    section = measured(Bench(quick=True), torch.device("cpu"))
    precision, batches, copies = section.tables
    assert [row[0] for row in precision.rows] == [f"sst2-minilm, {each}" for each in ("float32", "bfloat16", "float16")]
    assert all(len(row) == len(table.columns) for table in section.tables for row in table.rows)
    assert len(section.targets) == 2
    assert all(target.met for target in section.targets)
    # On a processor a row has the same bits in any company.
    assert [row[-1] for row in precision.rows] == ["0"] * 3
    assert len(batches.rows) == 2
    assert len(copies.rows) == 4
