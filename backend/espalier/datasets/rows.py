"""The texts of a dataset, each once, and what can be said of them."""

from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, Field

from espalier import samples
from espalier.datasets.files import rows_of_file
from espalier.datasets.forms import MAX_DATASET, Dataset, File, Kept, Row, Rows, Samples
from espalier.problems import BadParameter, BadText, Problem
from espalier.text import read


class DatasetReading(BaseModel):
    """A dataset, read but not kept."""

    rows: int
    labels: dict[str, int]
    words: dict[int, int] = Field(description="Length in words to number of texts.")
    first: list[str]


def rows_of(dataset: Dataset) -> tuple[Row, ...]:
    """The texts, each once: a repeated text would be asked about twice."""
    if isinstance(dataset, Samples):
        found: Iterable[Row] = (Row(text=each.text, label=each.label) for each in samples.for_task(dataset.task))
    elif isinstance(dataset, Rows):
        found = dataset.rows
    elif isinstance(dataset, File):
        found = rows_of_file(dataset)
    else:
        raise BadParameter("no texts: got a dataset that another study keeps, possible are samples, rows and file")
    kept = {row.text: row for row in reversed(list(found)) if row.text}
    rows = tuple(reversed(kept.values()))
    if not 1 <= len(rows) <= MAX_DATASET:
        raise BadParameter(f"a dataset needs texts: got {len(rows)}, possible are 1 to {MAX_DATASET}")
    return rows


def kept(dataset: Dataset, rows: int) -> Dataset:
    """What a design keeps of its dataset once the texts are stored with the study."""
    if isinstance(dataset, Samples):
        return dataset
    return Kept(name=dataset.name if isinstance(dataset, File) else "rows", rows=rows)


def reading(dataset: Dataset) -> DatasetReading:
    """What a dataset holds, for the form in which its owner chooses it."""
    rows = rows_of(dataset)
    lengths: Counter[int] = Counter()
    for number, row in enumerate(rows, start=1):
        try:
            lengths[len(read(row.text).words)] += 1
        except Problem as problem:
            raise BadText(f"text {number} of the dataset cannot be read: {problem.message}") from problem
    return DatasetReading(
        rows=len(rows),
        labels=dict(Counter(row.label for row in rows if row.label is not None)),
        words=dict(sorted(lengths.items())),
        first=[row.text for row in rows[:5]],
    )
