"""Sample sentences written for this project, each with its label and what makes it interesting to explain.

They serve as the examples in the interface, the background that stands in for absent words, the default study set and
the test corpus. Within a task the labels are spread evenly over the file, so the first n sentences are nearly balanced.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

from espalier.problems import UnknownName


@dataclass(frozen=True, slots=True)
class Sample:
    """One sentence, the class a careful reader gives it, and the linguistic phenomenon it shows."""

    text: str
    task: str
    label: str
    phenomenon: str
    note: str
    example: bool
    """Whether the interface offers it as one of the few examples of its task."""


@cache
def load() -> tuple[Sample, ...]:
    """All samples in the order of the file."""
    with (resources.files(__name__) / "sentences.tsv").open(encoding="utf-8") as lines:
        # Quotation marks belong to the sentences, so they are never read as quoting of a field.
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
        return tuple(
            Sample(row["text"], row["task"], row["label"], row["phenomenon"], row["note"], row["example"] == "1")
            for row in rows
        )


def for_task(task: str) -> tuple[Sample, ...]:
    """The samples of one task."""
    samples = tuple(sample for sample in load() if sample.task == task)
    if not samples:
        raise UnknownName("task", task, {sample.task for sample in load()})
    return samples


def examples(task: str) -> tuple[Sample, ...]:
    """The few most striking samples of one task, for a person who does not know yet what to type."""
    return tuple(sample for sample in for_task(task) if sample.example)
