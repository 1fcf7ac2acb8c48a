"""`python -m benchmarks.verdicts [--only PART …] [--texts N] [--file sst2-dev.tsv]`, or `make verdicts`.

Parts are measured one after the other, the cheap ones first (`--parts` lists them); `--only` chooses some. Each keeps
what it measured under .cache/verdicts, text by text where texts take long, under a name that stands for its texts, its
settings and the models' weights: a trial with others never gets into the real run, and a run goes on where it was
stopped. What a part of the usual run found at its end is committed (benchmarks/verdicts/found). The page is made from
that, after every part, and says what is not measured.

Where the training data are, SST-2's development set is measured, with its training sentences, a corpus for MAHE's words
(see `corpus`) and 200 passages of WikiText-2; otherwise the project's samples. `--epochs` names a folder of
checkpoints. A trial (`--texts 20`) writes its page beside what it keeps, not into the documentation.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer

from benchmarks.verdicts.asked import FOUND, KEPT, ROOT, Asked
from benchmarks.verdicts.evidence import Evidence
from benchmarks.verdicts.judge import judged
from benchmarks.verdicts.kept import write
from benchmarks.verdicts.page import page as page_of
from benchmarks.verdicts.parts import PARTS

PAGE = ROOT / "docs" / "verdicts.md"
PASSAGES = 200


def usual(kept: Path, wants_corpus: bool = True) -> Asked:
    """SST-2 where the training data are, the project's samples elsewhere."""
    from benchmarks.verdicts.corpus import corpus
    from training.data import data_folder

    try:
        folder = data_folder() / "sst"
    except SystemExit:
        return Asked(kept=kept)
    found = corpus(kept) if wants_corpus else None
    return Asked(folder / "sst2_dev.tsv", folder / "sst2_train.tsv", found, passages=PASSAGES, kept=kept, found=FOUND)


def main(
    only: Annotated[
        list[str] | None, typer.Option(help="A part; several times for several. All when left out.")
    ] = None,
    parts: Annotated[bool, typer.Option("--parts", help="List the parts, with what they need, and end.")] = False,
    texts: Annotated[int | None, typer.Option(min=5, help="Draw so many texts, to try it.")] = None,
    file: Annotated[Path | None, typer.Option(help="Texts of yours, with nothing else of the usual data.")] = None,
    train: Annotated[Path | None, typer.Option(help="Texts that the models were trained on.")] = None,
    passages: Annotated[int | None, typer.Option(min=0, help="Of WikiText-2, for claims about next words.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="Texts in which MAHE's words are looked for.")] = None,
    epochs: Annotated[Path | None, typer.Option(help="A folder of checkpoints, for LS-Tree's Figure 5.")] = None,
    page: Annotated[Path | None, typer.Option(help="What is written; docs/verdicts.md when left out.")] = None,
    kept: Annotated[Path, typer.Option(help="Where what is measured is kept.")] = KEPT,
) -> None:
    names = [part.name for part in PARTS]
    if unknown := set(only or ()) - set(names):
        raise typer.BadParameter(f"unknown part: got {', '.join(sorted(unknown))}, possible are {', '.join(names)}")
    asked = Asked(file, kept=kept) if file is not None else usual(kept, corpus is None and not parts)
    page = page or (PAGE if texts is None else kept / "trial.md")
    given = {"train": train, "passages": passages, "corpus": corpus, "epochs": epochs, "texts": texts}
    asked = replace(asked, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    if texts is not None:
        asked = replace(asked, found=None)
    print(f"texts: {asked.source}", flush=True)
    for part in PARTS:
        needs = part.needs(asked)
        if parts:
            print(f"{part.name}: {len(part.claims)} claims{f', needs {needs}' if needs else ''}")
        elif needs is None and (not only or part.name in only):
            print(part.name, flush=True)
            part.run(asked)
            write(page, written(asked))
    if not parts:
        write(page, written(asked))
        print("written:", page)


def written(asked: Asked) -> str:
    """The page, from what is kept."""
    evidence, missing = Evidence(), []
    notes: dict[str, list[str]] = {}
    for part in PARTS:
        found = part.found(asked)
        if found is None:
            missing.append(f"{part.name} ({part.needs(asked) or f'--only {part.name}'})")
            continue
        evidence.take(found)
        notes.setdefault(part.claims[0].family, []).extend(found.notes)
    source = f"{len(asked.rows)} texts ({asked.source}), rankings on up to {asked.ranked()} of them."
    claims = [claim for part in PARTS for claim in part.claims]
    places = {paper: at for at, paper in enumerate(dict.fromkeys(claim.paper for claim in claims))}
    families = {family: at for at, family in enumerate(dict.fromkeys(claim.family for claim in claims))}
    claims.sort(key=lambda claim: (families[claim.family], places[claim.paper]))
    return page_of(judged(claims, evidence), evidence, notes, missing, source)


if __name__ == "__main__":
    typer.run(main)
