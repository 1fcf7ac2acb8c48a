"""What is measured, in parts, the cheap ones first: each keeps what it found, and the page is written from that."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.references import FILLERS
from benchmarks.verdicts import epochs, interactions, ls_tree, mahe, rankings, thesis
from benchmarks.verdicts.asked import UNDER_REFERENCES, Asked, revision
from benchmarks.verdicts.claims import MODELS, Claim
from benchmarks.verdicts.evidence import Evidence
from benchmarks.verdicts.kept import DIGITS, place, write
from espalier.lab.diagnose import Diagnosing
from espalier.lab.run_design import drawn
from espalier.library import shared_explainer
from espalier.models.catalog import catalog


@dataclass(frozen=True)
class Part:
    """`identity` is all that decides its numbers. `needs` says what is missing, if anything is."""

    name: str
    claims: tuple[Claim, ...]
    identity: Callable[[Asked], Any]
    measure: Callable[[Asked], Evidence]
    needs: Callable[[Asked], str | None] = lambda asked: None

    def place(self, asked: Asked) -> Path:
        return place(asked.evidence, f"part-{self.name}", self.identity(asked))

    def found(self, asked: Asked) -> Evidence | None:
        """What is kept of it; nothing where it was not measured to its end."""
        if self.needs(asked) is not None or not (path := self.place(asked)).exists():
            return None
        return Evidence.from_json(path.read_text(encoding="utf-8"))

    def run(self, asked: Asked) -> None:
        asked.kept.mkdir(parents=True, exist_ok=True)
        if self.found(asked) is not None:
            return
        write(own := self.place(asked), self.measure(asked).to_json())
        if asked.found is not None:
            # Of other weights or settings: nobody will ask for it again.
            for path in asked.found.glob(f"part-{self.name}-{'?' * DIGITS}.json"):
                if path != own:
                    path.unlink()


def _texts(asked: Asked) -> list[str]:
    return [row.text for row in asked.rows]


def _diagnosed(asked: Asked) -> Evidence:
    models = tuple(ls_tree.KINDS.values())
    return ls_tree.measured(Diagnosing(shared_explainer(), models, asked.rows, asked.training, ls_tree.LINEAR))


def _over_epochs(asked: Asked) -> Evidence:
    assert asked.epochs is not None
    return epochs.measured(asked.epochs, asked.rows, asked.training)


def _checkpoints(asked: Asked) -> list[str | None]:
    folders = [path for model in MODELS.values() for path in epochs.checkpoints(asked.epochs or Path(), model)]
    return [revision(catalog().choose(str(path))) for path in folders]


def _ranked(asked: Asked, model: str) -> Evidence:
    return rankings.measured(rankings.designs(asked.dataset, asked.ranked())[model], asked.kept, revision(model))


def _under_references(asked: Asked) -> Evidence:
    design = rankings.reference_design(asked.dataset, asked.ranked(UNDER_REFERENCES))
    return rankings.measured(design, asked.kept, revision(MODELS["BERT"]))


def _levels(asked: Asked, kind: str) -> Evidence:
    texts = [row.text for row in drawn(asked.rows, asked.ranked(), 0)]
    asking = mahe.asking(kind, mahe.DRAWS[kind])
    return mahe.of_levels(asking.model, interactions.level_errors(texts, asking, asked.interactions(asking.model)))


def _signs(asked: Asked, kind: str) -> Evidence:
    asking = mahe.asking(kind, mahe.TERM_DRAWS)
    kept = asked.interactions(asking.model)
    found = interactions.signs(mahe.PAIR, asked.sentences, asking, kept, mahe.MOST[kind], mahe.PAIRS)
    return Evidence() if found is None else mahe.of_signs(asking.model, found)


def _edited(asked: Asked, kind: str) -> Evidence:
    asking = mahe.asking(kind, mahe.TERM_DRAWS)
    found = interactions.edited(
        mahe.EDITED,
        mahe.TEXT,
        asked.sentences,
        asked.labelled,
        asking,
        asked.interactions(asking.model),
        mahe.RECIPES[kind],
        mahe.MOST[kind],
    )
    return mahe.of_edit(asking.model, found)


def _of(claims: tuple[Claim, ...], kind: str) -> tuple[Claim, ...]:
    """Those that this model's part decides: of two models, the slower one's."""
    own = MODELS[kind]
    return tuple(claim for claim in claims if claim.first.model == own)


def _for_each(
    name: str,
    claims: tuple[Claim, ...],
    identity: Callable[[Asked, str], Any],
    measure: Callable[[Asked, str], Evidence],
    kinds: tuple[str, ...],
) -> list[Part]:
    return [
        Part(
            f"{name}-{kind.lower()}",
            _of(claims, kind),
            lambda asked, kind=kind: [identity(asked, kind), revision(MODELS[kind])],  # type: ignore[misc]
            lambda asked, kind=kind: measure(asked, kind),  # type: ignore[misc]
        )
        for kind in kinds
    ]


def _mahe(kinds: tuple[str, ...]) -> list[Part]:
    return [
        *_for_each(
            "levels",
            mahe.FIT_CLAIMS,
            lambda asked, kind: [_texts(asked), asked.ranked(), mahe.DRAWS[kind]],
            _levels,
            kinds,
        ),
        *_for_each(
            "signs",
            mahe.SIGN_CLAIMS,
            lambda asked, kind: [asked.sentences, mahe.TERM_DRAWS, mahe.MOST[kind], mahe.PAIRS],
            _signs,
            kinds,
        ),
        *_for_each(
            "edit",
            mahe.EDIT_CLAIMS,
            lambda asked, kind: [asked.sentences, asked.labelled, mahe.RECIPES[kind].model_dump(), mahe.MOST[kind]],
            _edited,
            kinds,
        ),
    ]


def _tables(kinds: tuple[str, ...]) -> list[Part]:
    def design(asked: Asked, kind: str) -> Any:
        return rankings.designs(asked.dataset, asked.ranked())[MODELS[kind]].model_dump(mode="json")

    return _for_each("rankings", rankings.CLAIMS, design, lambda asked, kind: _ranked(asked, MODELS[kind]), kinds)


PARTS: tuple[Part, ...] = (
    Part(
        "functions",
        mahe.FUNCTION_CLAIMS,
        lambda asked: mahe.POINTS,
        lambda asked: mahe.of_functions(interactions.hits(asked.kept, mahe.POINTS)),
    ),
    Part(
        "ls-tree",
        ls_tree.CLAIMS,
        lambda asked: [_texts(asked), [row.text for row in asked.training], *map(revision, ls_tree.KINDS.values())],
        _diagnosed,
    ),
    *_tables(("CNN", "LSTM")),
    *_mahe(("CNN", "LSTM")),
    Part(
        "passages",
        thesis.CLAIMS,
        lambda asked: [asked.passages, *(revision(run.model) for run in thesis.RUNS)],
        lambda asked: thesis.of_passages(thesis.measured(asked.passages)),
        lambda asked: None if asked.passages else "--passages 200",
    ),
    Part(
        "epochs",
        epochs.CLAIMS,
        lambda asked: [_texts(asked), [row.text for row in asked.training], _checkpoints(asked)],
        _over_epochs,
        lambda asked: None if asked.epochs and asked.training else "--epochs FOLDER and --train FILE",
    ),
    *_tables(("BERT",)),
    *_mahe(("BERT",)),
    Part(
        "references",
        rankings.REFERENCE_CLAIMS,
        lambda asked: [
            rankings.reference_design(asked.dataset, asked.ranked(UNDER_REFERENCES)).model_dump(mode="json"),
            *map(revision, (MODELS["BERT"], *FILLERS)),
        ],
        _under_references,
    ),
)
