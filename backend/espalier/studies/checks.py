"""Tasks with a known answer: attention checks hidden among the others, and practice with feedback before them."""

from collections.abc import Sequence

from espalier.problems import BadParameter
from espalier.studies.design import NO_GUESS, StudyDesign
from espalier.studies.items import Feature, ItemContent, Shows
from espalier.studies.session import WordShown
from espalier.studies.texts import SENTIMENT
from espalier.text import read

_OBVIOUS = (
    (
        "A wonderful film with a brilliant cast, a joy from start to finish.",
        ("wonderful film", "brilliant cast", "a joy"),
        "positive",
    ),
    ("An awful, boring mess with terrible acting.", ("awful", "boring mess", "terrible acting"), "negative"),
    ("The food was delicious and the staff were charming.", ("delicious", "charming"), "positive"),
    (
        "A rude waiter, a dirty table and a disgusting soup.",
        ("rude waiter", "dirty table", "disgusting soup"),
        "negative",
    ),
)
"""Checks for sentiment: nobody who reads them hesitates."""

_INSTRUCTED = "To show that you are reading, please choose “{answer}” here."
_INSTRUCTED_PHRASE = "please choose “{answer}” here"

_PRACTICE = (
    (
        "The room was spotless, and the breakfast was a delight.",
        ("spotless", "breakfast was a delight"),
        ("positive", "positive"),
        "Both lines praise, so both point to positive.",
    ),
    (
        "I expected a masterpiece and got a tedious mess.",
        ("masterpiece", "tedious mess", "I"),
        ("positive", "negative", NO_GUESS),
        "Each line is judged by itself: “masterpiece” alone points to positive, “tedious mess” to negative, and “I” "
        "says nothing about either, so N/A.",
    ),
)

_PREFERENCE_PRACTICE = (
    "The service was dreadful.",
    ("dreadful",),
    "negative",
    "One explanation colours “dreadful”, the word that says it; the other colours words that say nothing of quality. "
    "In the tasks that follow, both may have something to them, and it is your judgement that counts.",
)


def attention_items(design: StudyDesign, classes: tuple[str, ...]) -> list[ItemContent]:
    """As many different checks as a person gets, looking like the tasks around them."""
    lines = 1 if design.screen == "apart" else len(design.models) * len(design.methods)
    answers = [*classes, NO_GUESS]
    if design.gold:
        for each in design.gold:
            _check_answer(each.answer, answers)
        return [_lines(each.text, [each.phrase] * lines, [each.answer] * lines) for each in design.gold]
    obvious = frozenset(classes) == SENTIMENT
    if design.protocol == "preference":
        if obvious:
            return [_two(text, phrases, answer, classes) for text, phrases, answer in _OBVIOUS]
        return [_instructed_choice(classes)]
    if obvious:
        return [
            _lines(text, [phrases[line % len(phrases)] for line in range(lines)], [answer] * lines)
            for text, phrases, answer in _OBVIOUS
        ]
    return [
        _lines(
            _INSTRUCTED.format(answer=label(each)),
            [_INSTRUCTED_PHRASE.format(answer=label(each))] * lines,
            [each] * lines,
        )
        for each in classes
    ]


def practice_items(design: StudyDesign, classes: tuple[str, ...]) -> list[ItemContent]:
    """The owner's, or ours where we have some for these classes."""
    if design.practice is not None:
        for each in design.practice:
            for answer in each.answers:
                _check_answer(answer, [*classes, NO_GUESS])
        return [_lines(each.text, each.phrases, each.answers, each.why) for each in design.practice]
    if frozenset(classes) != SENTIMENT:
        return []
    if design.protocol == "preference":
        text, phrases, answer, why = _PREFERENCE_PRACTICE
        return [_two(text, phrases, answer, classes, why)]
    return [_lines(*each) for each in _PRACTICE]


def label(answer: str) -> str:
    """An answer as its button names it."""
    return "N/A" if answer == NO_GUESS else answer[:1].upper() + answer[1:]


def _check_answer(answer: str, possible: Sequence[str]) -> None:
    if answer not in possible:
        raise BadParameter(f"no such answer in practice or gold: got {answer!r}, possible are {', '.join(possible)}")


def _lines(text: str, phrases: Sequence[str], answers: Sequence[str], why: str = "") -> ItemContent:
    words = _words(text)
    shown = tuple(
        _shown(f"line {k}", (), Feature(words=_find(text, words, each), score=1)) for k, each in enumerate(phrases)
    )
    return ItemContent(text=text, words=words, shows=shown, expected=tuple(answers), why=why)


def _two(text: str, phrases: Sequence[str], answer: str, classes: tuple[str, ...], why: str = "") -> ItemContent:
    """An explanation that colours the words that say it, and one that colours words that say nothing."""
    words = _words(text)
    telling = {word for each in phrases for word in _find(text, words, each)}
    weights = [(1.0 if word in telling else 0.0, 0.0 if word in telling else 1.0) for word in range(len(words))]
    good, bad = (
        tuple(Feature(words=(word,), score=pair[side]) for word, pair in enumerate(weights)) for side in (0, 1)
    )
    shown = (_shown("telling", good, good[0], answer, classes), _shown("empty", bad, bad[0], answer, classes))
    return ItemContent(text=text, words=words, shows=shown, expected=("0",), why=why)


def _instructed_choice(classes: tuple[str, ...]) -> ItemContent:
    text = _INSTRUCTED.format(answer="A")
    words = _words(text)
    none = tuple(Feature(words=(word,), score=0) for word in range(len(words)))
    shown = tuple(_shown(name, none, none[0], classes[0], classes) for name in ("first", "second"))
    return ItemContent(text=text, words=words, shows=shown, expected=("0",), fixed_order=True)


def _shown(
    name: str, groups: tuple[Feature, ...], top: Feature, prediction: str = "", classes: tuple[str, ...] = ()
) -> Shows:
    return Shows(model="", method=name, classes=classes, prediction=prediction, probability=1, top=top, groups=groups)


def _words(text: str) -> tuple[WordShown, ...]:
    return tuple(WordShown(text=word.text, start=word.start, end=word.end) for word in read(text).words)


def _find(text: str, words: Sequence[WordShown], phrase: str) -> tuple[int, ...]:
    start = text.lower().find(phrase.lower())
    found = tuple(k for k, word in enumerate(words) if start <= word.start < start + len(phrase))
    if start < 0 or not found:
        raise BadParameter(f"the phrase is not part of its text: got {phrase!r}, possible is a piece of {text!r}")
    return found
