"""How well a masked model knows texts of its own language and of others: `python -m benchmarks.languages`.

    python -m benchmarks.languages                          the project's samples, and sentences in other languages
    python -m benchmarks.languages --texts sst2_dev.tsv     other texts of its own language: a file's first column
    python -m benchmarks.languages --filler mlm-movies

The limits in `games/references/language.py` were chosen by looking at these numbers. The sentences below were written
for it; many of them use nothing but words that an English model has as one token.
"""

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from espalier import samples
from espalier.engine.asking import answered
from espalier.engine.explainer import Explainer
from espalier.games.game import make_game
from espalier.games.references import Wish
from espalier.games.references.language import DOUBTFUL, ENOUGH_WORDS
from espalier.library import shared_explainer
from espalier.problems import BadParameter
from espalier.text import read

MODEL = "sst2-bow"
"""Whatever is explained: only the filler is asked."""

FOREIGN = """\
Das war ein guter Film und die Musik war gut.
Der Mann war alt und die Frau war sehr nett.
Das Essen war gut und die Leute waren nett.
Ich bin ein Berliner und du bist ein guter Mann.
Le film est beau mais la fin est un peu longue.
La vie est belle et le monde est grand.
Je ne sais pas ce que tu veux.
Il est bon et elle est belle.
No me gusta nada la comida de este hotel.
La casa es grande y el hotel es bueno.
El amor es todo para mi.
La vita è bella e il mondo è grande.
Non mi piace la casa di Maria.
O filme foi bom e a casa era grande.
Il film era molto bello e la musica era grande.
Het is een goede film en de muziek is mooi.
Ik ben een man en jij bent een vrouw.
Filmen var god og musikken var god.
Det var en god film med en god historia.
Jeg er en mann og du er en kvinne.
To jest dobry film i dobra muzyka.
Elokuva oli kaunis ja pitkä mutta loppu oli huono.
Film bol dobry a hudba tiez.
A film nagyon jo volt es a zene is.
Film çok güzel ve müzik iyi.
Quo vadis domine et quid est veritas in mundo.
Hoc est corpus meum et anima mea in pace.
Non est vita sine amore et deus est bonus.
Aku suka film itu dan musik juga bagus.
Ang pelikula ay maganda at ang musika rin.
"""


def known(explainer: Explainer, filler: str, text: str) -> float | None:
    """The share of expected words; None where the text is refused."""
    passage = read(text)
    game = make_game(
        explainer.host(MODEL).model,
        [passage],
        reference="conditional",
        wish=Wish(filler=filler),
        other_model=lambda name: explainer.host(name).model,
    )
    try:
        answered(game.reference.opening(), explainer.host)
    except BadParameter:
        return None
    return (game.reference.expected_words or 0) / words_of(text)


def words_of(text: str) -> int:
    return sum(word.text.isalpha() for word in read(text).words)


def line(name: str, shares: list[float | None]) -> tuple[str, ...]:
    told = np.array([share for share in shares if share is not None])
    quantiles = [f"{value:.2f}" for value in np.quantile(told, [0, 0.05, 0.5, 0.95, 1])]
    asked = int((told < DOUBTFUL).sum())
    return name, str(len(shares)), str(len(shares) - len(told)), str(asked), *quantiles


def main() -> None:
    parser = argparse.ArgumentParser(description="How well a masked model knows its own language and others.")
    parser.add_argument("--filler", default="mlm-general")
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="a text in the first column of each line")
    parser.add_argument("--most", type=int, default=300, help="about so many texts of each file, evenly chosen")
    given = parser.parse_args()
    sets = {"samples": [each.text for each in samples.load()]}
    for path in given.texts:
        rows = [row.split("\t")[0] for row in path.read_text(encoding="utf-8").splitlines()[1:]]
        sets[path.stem] = rows[:: max(1, len(rows) // given.most)]
    sets["other languages"] = FOREIGN.splitlines()
    table = Table("texts", "n", "refused", "asked about", "least", "5 %", "median", "95 %", "most", box=None)
    explainer = shared_explainer()
    for name, texts in sets.items():
        long_enough = [text for text in texts if words_of(text) >= ENOUGH_WORDS]
        table.add_row(*line(name, [known(explainer, given.filler, text) for text in long_enough]))
    Console().print(f"expected words of {given.filler}", table)


if __name__ == "__main__":
    main()
