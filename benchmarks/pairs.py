"""Whether explanations name the word that composes: forty pairs of sentences, such as "good" and "not good".

    python -m benchmarks.pairs --model sst2-minilm                 a minute or two; writes docs/composition.md
    python -m benchmarks.pairs --model sst2-minilm --findings      prints what the findings say, and writes nothing

The second sentence of each pair is the first one with a word that changes what it says (`pairs.tsv`, written for this).
The model classifies both, and LS-Tree and the directed graph explain the second, as the library does for anybody. What
is read is their finding, the one sentence that people see above a picture: it names the word if a phrase that it quotes
has it, unless that phrase is the whole sentence, which would name everything. What was found of each revision of a
model is kept in `pairs.json`: the first is what later weights are compared with.
"""

import argparse
import csv
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

from rich.console import Console

from benchmarks import report
from benchmarks.pages import DOCS, Run, write
from benchmarks.sections import Rows, Section, percent
from espalier.findings.finding import finding
from espalier.library import explain_all
from espalier.models.catalog import catalog
from espalier.models.predict import predict_all
from espalier.models.revision import combine, revision
from espalier.text import read
from espalier.trees.weights import SHIPPED, locate

PAIRS = Path(__file__).with_suffix(".tsv")
KEPT = Path(__file__).with_suffix(".json")
PAGE = DOCS / "composition.md"
OPENING = """# Do explanations name the word that composes?

Made by `python -m benchmarks.pairs --model MODEL`, a section for each model. Forty pairs of short sentences were
written for it (`benchmarks/pairs.tsv`): the second of each is the first one with a word that changes what it says, such
as "not", "but" or "would". None of them is, or has six words in a row with, a sample sentence or one of the sentences
that teach composition in training. *Both right* are the pairs of which the model classifies both sentences as people
do. *LS-Tree* and *graph* are the pairs whose second sentence has a finding, the sentence above the picture, that names
the composing word: it stands in a phrase that the finding quotes, which is not the whole sentence. Explained is what
the model says, right or wrong, with the library's defaults. *Before* is the first revision of the model that was
measured.
"""

METHODS = {"ls-tree": "LS-Tree", "asiv": "graph"}
COUNTED = {"right": "both right", **METHODS}
_QUOTED = re.compile("“([^”]*)”")


@dataclass(frozen=True, slots=True)
class Pair:
    phenomenon: str
    first: str
    first_label: str
    second: str
    second_label: str
    word: str
    """What composes in the second sentence: any of these words."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was found of one model: the numbers of the pairs, from 0, that were right, and whose word was named."""

    revision: str
    """Of the model and of the parser: trees decide what LS-Tree finds."""
    date: str
    pairs: str
    """Of the file of pairs: others cannot be compared."""
    found: Mapping[str, Sequence[int]]


def pairs() -> list[Pair]:
    with PAIRS.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
        return [Pair(**row) for row in rows]


def names(said: str | None, text: str, word: str) -> bool:
    """Whether a finding quotes a phrase with the word, or with one of several, that is not the whole text."""
    wanted, whole = set(_words(word)), _words(text)
    phrases = [_words(phrase) for phrase in _QUOTED.findall(said or "")]
    return any(phrase != whole and wanted & set(phrase) for phrase in phrases)


def _words(text: str) -> list[str]:
    return [word.text.lower() for word in read(text).words if any(map(str.isalnum, word.text))]


def findings(model: str, method: str, texts: Sequence[str]) -> Iterator[str | None]:
    return (finding(explanation) for explanation in explain_all(texts, model, method))


def both_right(model: str, asked: Sequence[Pair]) -> list[int]:
    sides = ([(pair.first, None) for pair in asked], [(pair.second, None) for pair in asked])
    firsts, seconds = (predict_all(catalog().load(model), side) for side in sides)
    said = zip(firsts, seconds, asked, strict=True)
    return [
        number
        for number, (first, second, pair) in enumerate(said)
        if (first.label, second.label) == (pair.first_label, pair.second_label)
    ]


def record(model: str, asked: Sequence[Pair], date: str) -> Record:
    found: dict[str, Sequence[int]] = {"right": both_right(model, asked)}
    for method in METHODS:
        said = findings(model, method, [pair.second for pair in asked])
        told = zip(said, asked, strict=True)
        found[method] = [number for number, (each, pair) in enumerate(told) if names(each, pair.second, pair.word)]
    mark = combine([catalog().load(model).revision, revision(locate(SHIPPED))])
    return Record(mark, date, hashlib.sha256(PAIRS.read_bytes()).hexdigest()[:16], found)


def keep(model: str, now: Record, path: Path = KEPT) -> Record:
    """Add what was found to what is kept of the model, and return what to compare it with: the first of these pairs."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    records = {each["revision"]: each for each in kept.get(model, ()) if each["pairs"] == now.pairs}
    # Measured again it stays where it was: what came first is still what others are compared with.
    records[now.revision] = asdict(now)
    kept[model] = list(records.values())
    path.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    return Record(**kept[model][0])


def section(model: str, asked: Sequence[Pair], before: Record, now: Record) -> Section:
    phenomena = list(dict.fromkeys(pair.phenomenon for pair in asked))
    compared = before.revision != now.revision

    def cells(numbers: Sequence[int], share: bool) -> list[str]:
        row = []
        for counted in COUNTED:
            for taken in (before, now) if compared else (now,):
                count = len(set(numbers) & set(taken.found[counted]))
                row.append(f"{count} ({percent(count / len(numbers))})" if share else str(count))
        return row

    rows = []
    for phenomenon in phenomena:
        numbers = [number for number, pair in enumerate(asked) if pair.phenomenon == phenomenon]
        rows.append((phenomenon, str(len(numbers)), *cells(numbers, share=False)))
    rows.append(("all", str(len(asked)), *cells(range(len(asked)), share=True)))
    times = ("before", "now") if compared else ("",)
    columns = tuple(", ".join(filter(None, (name, time))) for name in COUNTED.values() for time in times)
    explanation = f"Model and parser: {now.revision}"
    explanation += f"; before: {before.revision}, {before.date}." if compared else ", the first that was measured."
    return Section(model, explanation, [Rows("", ("", "pairs", *columns), rows)], [])


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the findings that name the word that composes.")
    parser.add_argument("--model", default="sst2-minilm", help="a classifier of sentiment in the catalog")
    parser.add_argument("--findings", action="store_true", help="print what the findings say, and write nothing")
    given = parser.parse_args()
    console, asked, run = Console(), pairs(), Run()
    model = catalog().choose(given.model)
    if given.findings:
        for method, called in METHODS.items():
            console.rule(called)
            for said, pair in zip(findings(model, method, [pair.second for pair in asked]), asked, strict=True):
                mark = "named" if names(said, pair.second, pair.word) else "-----"
                console.print(f"{mark}  {pair.second}  →  {said}", highlight=False, markup=False)
        return
    now = record(model, asked, run.date)
    found = section(model, asked, keep(model, now), now)
    report.show(console, found)
    write(PAGE, OPENING, found, run)
    console.print(f"Written: {found.title} in {PAGE.name}")


if __name__ == "__main__":
    main()
