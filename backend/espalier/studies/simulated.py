"""A simulated participant for rehearsals: it answers by the sign of the shown words under a word list, and errs at a
given rate. It sees what a person sees, the screen, and nothing else."""

import re
from functools import cache
from importlib import resources
from random import Random

from espalier.studies.design import NO_GUESS
from espalier.studies.screens import CHOICE
from espalier.studies.session import Highlighted, TaskDocument

_SIGNS = {"positive": 1, "negative": -1, "reverses": 0}


@cache
def word_list() -> dict[str, int]:
    """Written for this project: words that praise (1) or blame (-1), and words that reverse what follows (0)."""
    lines = (resources.files(__package__) / "word_list.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {word: _SIGNS[says] for word, says in (line.split("\t") for line in lines)}


def sign(phrase: str) -> int:
    """1 for praise, -1 for blame, 0 for neither. A reversing word turns all that follows it in the phrase; with nothing
    to turn, it sounds like blame itself."""
    known, total, direction, judged = word_list(), 0, 1, False
    for word in re.findall(r"[\w'’]+", phrase.lower().replace("’", "'")):
        says = known.get(word, 0)
        if says == 0 and (word in known or word.endswith("n't")):
            direction = -direction
        total += direction * says
        judged = judged or says != 0
    if not judged:
        return min(direction, 0)
    return (total > 0) - (total < 0)


def respond(task: TaskDocument, random: Random, error_rate: float) -> dict[str, str]:
    """An answer to every line of a screen, each wrong with the given probability."""
    instructed = re.search(r"please choose “(.+?)”", task.text)
    if task.protocol == "preference":
        best = instructed[1] if instructed else _better(task, random)
        return {CHOICE: _maybe_wrong(best, task, random, error_rate)}
    answers = {}
    for line in task.lines:
        said = _by_label(task, instructed[1]) if instructed else _guess(task, line.phrase)
        answers[line.letter] = _maybe_wrong(said, task, random, error_rate)
    return answers


def _guess(task: TaskDocument, phrase: str) -> str:
    """Only praise and blame are known to the word list: other classes cannot be guessed."""
    guess = {1: "positive", -1: "negative"}.get(sign(phrase), NO_GUESS)
    return guess if guess in {option.value for option in task.options} else NO_GUESS


def _by_label(task: TaskDocument, label: str) -> str:
    return next((option.value for option in task.options if option.label == label), NO_GUESS)


def _better(task: TaskDocument, random: Random) -> str:
    """The explanation whose colours fit the words under them better."""
    fits = {each.letter: _fit(task, each) for each in task.explanations}
    best = max(fits.values())
    return random.choice([letter for letter, fit in fits.items() if fit == best])


def _fit(task: TaskDocument, explanation: Highlighted) -> float:
    positive = 1 if task.poles is None or task.poles[1] in ("positive", "for positive") else -1
    agreement = weight = 0.0
    for group in explanation.groups:
        said = sign(" ".join(task.words[word].text for word in group.words))
        agreement += positive * group.weight * said
        weight += abs(group.weight)
    return round(agreement / weight, 9) if weight else 0.0


def _maybe_wrong(answer: str, task: TaskDocument, random: Random, error_rate: float) -> str:
    if random.random() >= error_rate:
        return answer
    return random.choice([option.value for option in task.options if option.value != answer])
