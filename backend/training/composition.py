"""Sentences that teach composition: what "not", "but", "although", "than" and "if" do to the words beside them.

    python -m training.composition            counts, and the proof that none is a sample sentence

Two thirds of a treebank's sentences can be judged by adding up their words. These cannot: the same praising and blaming
words occur under both labels, and only the construction decides. Some 240 were written one by one
(`composition.tsv`), the others come from the templates below. The project's sample sentences are for measuring and stay
unseen: `shared_runs` compares both, word by word.
"""

import csv
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from espalier import samples
from espalier.text import read

SEED = 7
PER_SIDE = 90
"""Sentences from templates for each phenomenon and label."""
LONGEST_SHARED_RUN = 5
"""Words in a row that a sentence may share with a sample: "it is not a bad" is a construction, six are a copy."""

WRITTEN = Path(__file__).with_suffix(".tsv")

NEGATIVE, POSITIVE = "negative", "positive"


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    label: str
    phenomenon: str


@dataclass(frozen=True, slots=True)
class Topic:
    """Something people review: its parts, and words that praise or blame every one of them."""

    whole: str
    parts: tuple[str, ...]
    praise: tuple[str, ...]
    blame: tuple[str, ...]


TOPICS = (
    Topic(
        "film",
        ("story", "dialogue", "ending", "soundtrack", "lead performance"),
        ("moving", "gripping", "clever", "touching", "inventive"),
        ("dull", "clumsy", "predictable", "tiresome", "shallow"),
    ),
    Topic(
        "restaurant",
        ("food", "service", "menu", "kitchen", "dessert"),
        ("delicious", "delightful", "generous", "memorable", "excellent"),
        ("bland", "awful", "careless", "greasy", "disappointing"),
    ),
    Topic(
        "hotel",
        ("room", "breakfast", "reception", "garden", "bathroom"),
        ("charming", "spotless", "welcoming", "comfortable", "lovely"),
        ("filthy", "shabby", "noisy", "dreary", "unpleasant"),
    ),
    Topic(
        "novel",
        ("plot", "prose", "first chapter", "hero", "translation"),
        ("beautiful", "witty", "convincing", "elegant", "absorbing"),
        ("tedious", "pretentious", "confusing", "lifeless", "flat"),
    ),
    Topic(
        "phone",
        ("screen", "camera", "battery", "design", "keyboard"),
        ("brilliant", "reliable", "sharp", "impressive", "superb"),
        ("useless", "flimsy", "unreliable", "poor", "infuriating"),
    ),
    Topic(
        "show",
        ("music", "choreography", "staging", "cast", "second half"),
        ("thrilling", "graceful", "funny", "dazzling", "enchanting"),
        ("boring", "embarrassing", "lazy", "annoying", "forgettable"),
    ),
)

# {a} and {b} are two parts of one {whole}; {good} and {other_good} praise, {bad} and {other_bad} blame.
TEMPLATES: dict[str, dict[str, tuple[str, ...]]] = {
    "negation": {
        NEGATIVE: (
            "The {a} is not {good}.",
            "The {a} is neither {good} nor {other_good}.",
            "There is nothing {good} about the {a}.",
            "I wouldn't call the {a} {good}.",
            "Nobody could find the {a} {good}.",
            "The {a} isn't as {good} as everybody says.",
            "The {whole} has never been {good}, and the {a} is no help.",
            "Not even the {a} is {good}.",
        ),
        POSITIVE: (
            "The {a} is not {bad}.",
            "The {a} is neither {bad} nor {other_bad}.",
            "There is nothing {bad} about the {a}.",
            "I wouldn't call the {a} {bad}.",
            "Nobody could find the {a} {bad}.",
            "The {a} isn't as {bad} as everybody says.",
            "The {whole} has never been {bad}, and the {a} least of all.",
            "Not even the {a} is {bad}.",
        ),
    },
    "double-negation": {
        NEGATIVE: (
            "It is not true that the {a} isn't {bad}.",
            "I can't say the {a} wasn't {bad}.",
            "No part of this {whole} isn't {bad}.",
            "Nobody denies that the {a} is {bad}.",
            "Never was the {a} anything but {bad}.",
            "You cannot fail to notice how {bad} the {a} is.",
            "It is not as if the {a} weren't {bad}.",
        ),
        POSITIVE: (
            "It is not true that the {a} isn't {good}.",
            "I can't say the {a} wasn't {good}.",
            "No part of this {whole} isn't {good}.",
            "Nobody denies that the {a} is {good}.",
            "Never was the {a} anything but {good}.",
            "You cannot fail to notice how {good} the {a} is.",
            "It is not as if the {a} weren't {good}.",
        ),
    },
    "contrast": {
        NEGATIVE: (
            "The {a} is {good}, but the {whole} is {bad}.",
            "It sounded {good}, but it turned out {bad}.",
            "They promised something {good}; we got something {bad}.",
            "The {a} used to be {good} and now it is {bad}.",
            "The {a} is {good}, yet the {b} is so {bad} that I would not go back to this {whole}.",
            "I expected a {good} {whole} and found a {bad} one.",
            "{Good} at first, then simply {bad}.",
        ),
        POSITIVE: (
            "The {a} is {bad}, but the {whole} is {good}.",
            "It sounded {bad}, but it turned out {good}.",
            "They warned us of something {bad}; we got something {good}.",
            "The {a} used to be {bad} and now it is {good}.",
            "The {a} is {bad}, yet the {b} is so {good} that I would go back to this {whole} at once.",
            "I expected a {bad} {whole} and found a {good} one.",
            "{Bad} at first, then simply {good}.",
        ),
    },
    "concession": {
        NEGATIVE: (
            "Although the {a} is {good}, the {whole} as a whole is {bad}.",
            "Despite its {good} {a}, this is a {bad} {whole}.",
            "However {good} the {a} may be, I found the {whole} {bad}.",
            "Granted, the {a} is {good}; the rest is {bad}.",
            "Even though everybody calls it {good}, it is {bad}.",
            "For all its {good} moments, the {whole} is {bad}.",
            "The {whole} is {bad}, even if the {a} is {good}.",
        ),
        POSITIVE: (
            "Although the {a} is {bad}, the {whole} as a whole is {good}.",
            "Despite its {bad} {a}, this is a {good} {whole}.",
            "However {bad} the {a} may be, I found the {whole} {good}.",
            "Granted, the {a} is {bad}; the rest is {good}.",
            "Even though everybody calls it {bad}, it is {good}.",
            "For all its {bad} moments, the {whole} is {good}.",
            "The {whole} is {good}, even if the {a} is {bad}.",
        ),
    },
    "comparison": {
        NEGATIVE: (
            "Every other {whole} I know is more {good} than this one.",
            "The {a} is less {good} than a wet sock.",
            "I have seldom come across a {whole} more {bad} than this.",
            "Even the worst {whole} of last year was more {good}.",
            "The {a} is as {good} as a parking ticket.",
            "It is more {bad} than {good}.",
            "The {a} was better before, when it was merely {bad}.",
        ),
        POSITIVE: (
            "No other {whole} I know is more {good} than this one.",
            "The {a} is less {bad} than I had feared, and often {good}.",
            "I have seldom come across a {whole} less {bad} than this.",
            "Even the best {whole} of last year was less {good}.",
            "The {a} is as {good} as a day at the sea.",
            "It is more {good} than {bad}.",
            "The {a} is better than before, and it was already {good}.",
        ),
    },
    "irony": {
        NEGATIVE: (
            "Wow, how {good}, a {whole} with a {bad} {a}.",
            "Oh sure, the {a} is {good}, and I am the queen of Spain.",
            "If by {good} you mean {bad}, then the {a} is {good}.",
            "A {good} {whole}, said nobody, ever.",
            "Congratulations, you have made the {a} even more {bad}.",
            "The {a} is {good} in the way a flat tyre is {good}.",
            "So {good} that I asked for my money back.",
            "Thanks a lot for the {good} {a}, my lawyer will be in touch.",
        ),
        POSITIVE: (
            "Sorry to all who like a {bad} {whole}: the {a} is {good}.",
            "The {a} is so {good} that it should be forbidden.",
            "I am angry with the {whole}: it is too {good} to stop.",
            "Bad luck for the envious, the {a} is {good}.",
            "My only problem with the {a}: it is so {good} that all others seem {bad}.",
            "Do not try this {whole}, I want its {good} {a} all to myself.",
            "I came to complain about a {bad} {a}, and left with nothing to do, it was that {good}.",
        ),
    },
    "intensifier": {
        NEGATIVE: (
            "The {a} is extremely {bad}.",
            "What a thoroughly {bad} {whole}!",
            "The {a} is so very {bad} that I felt sorry for it.",
            "Far too {bad} for my taste, and not remotely {good}.",
            "The {a} is barely {good}.",
            "Only slightly {good}, and mostly {bad}.",
            "The {a} is hardly ever {good}.",
        ),
        POSITIVE: (
            "The {a} is extremely {good}.",
            "What a thoroughly {good} {whole}!",
            "The {a} is so very {good} that I felt lucky.",
            "Terribly {good}, and not remotely {bad}.",
            "The {a} is barely ever {bad}.",
            "Only slightly {bad}, and mostly {good}.",
            "The {a} is hardly {bad} at all.",
        ),
    },
    "conditional": {
        NEGATIVE: (
            "If the {a} were {good}, I would come back.",
            "The {whole} would be {good} if the {a} were not so {bad}.",
            "Had the {a} been {good}, I would not have left early.",
            "It could have been {good} with another {a}.",
            "If you like your {whole} {bad}, this one is for you.",
            "Unless you enjoy a {bad} {a}, stay away.",
            "If this {a} is {good}, then I have never seen a {bad} one.",
        ),
        POSITIVE: (
            "If the {a} were {bad}, I would not come back, and I come back every week.",
            "The {whole} would be {bad} if the {a} were not so {good}.",
            "Had the {a} been {bad}, I would have left early; I stayed to the end.",
            "It could have been {bad} with another {a}.",
            "If you like your {whole} {good}, this one is for you.",
            "Unless you object to a {good} {a}, come quickly.",
            "If this {a} is {bad}, then I have never seen a {good} one.",
        ),
    },
}

_ARTICLE = dict.fromkeys("aeiou", "an")


def fill(template: str, topic: Topic, a: str, b: str, good: tuple[str, str], bad: tuple[str, str]) -> str:
    text = template.format(
        a=a,
        b=b,
        whole=topic.whole,
        good=good[0],
        other_good=good[1],
        bad=bad[0],
        other_bad=bad[1],
        Good=good[0].capitalize(),
        Bad=bad[0].capitalize(),
    )
    words = text.split(" ")
    for index, word in enumerate(words[:-1]):
        if word.lower() == "a":
            article = _ARTICLE.get(words[index + 1][0], "a")
            words[index] = article.capitalize() if word[0].isupper() else article
    return " ".join(words)


def from_templates(phenomenon: str, label: str, random_source: random.Random) -> Iterator[Sentence]:
    """PER_SIDE different sentences, the templates in turn, so that none of them is heard more often than the others."""
    seen: set[str] = set()
    for template in in_turn(TEMPLATES[phenomenon][label]):
        if len(seen) == PER_SIDE:
            return
        topic = random_source.choice(TOPICS)
        a, b = random_source.sample(topic.parts, 2)
        good = random_source.sample(topic.praise, 2)
        bad = random_source.sample(topic.blame, 2)
        text = fill(template, topic, a, b, (good[0], good[1]), (bad[0], bad[1]))
        if text not in seen:
            seen.add(text)
            yield Sentence(text, label, phenomenon)


def in_turn(templates: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from templates


def written(path: Path) -> list[Sentence]:
    """What was written one by one."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
        return [Sentence(row["text"], row["label"], row["phenomenon"]) for row in rows]


def sentences() -> list[Sentence]:
    """All of them, the same in every run."""
    random_source = random.Random(SEED)
    made = [
        sentence
        for phenomenon, label in product(TEMPLATES, (NEGATIVE, POSITIVE))
        for sentence in from_templates(phenomenon, label, random_source)
    ]
    return written(WRITTEN) + made


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    """Every run of so many words, in small letters and without punctuation; of a shorter text all of it."""
    words = [word.text.lower() for word in read(text).words if any(map(str.isalnum, word.text))]
    return {tuple(words[start : start + length]) for start in range(max(1, len(words) - length + 1))}


def shared_runs(texts: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """The texts that share more than LONGEST_SHARED_RUN words in a row with one of the others, each with that run; a
    text that has no more words shares all of them, or none."""
    length = LONGEST_SHARED_RUN + 1
    known = set().union(*(runs(other, length) for other in others))
    return [(text, " ".join(run)) for text in texts for run in runs(text, length) & known]


def report(everything: list[Sentence]) -> int:
    """Print counts, and whatever shares too much with a sample; 1 if something does."""
    counts = Counter((sentence.phenomenon, sentence.label) for sentence in everything)
    for (phenomenon, label), count in sorted(counts.items()):
        print(f"{count:5} {label} {phenomenon}")
    sample_texts = [sample.text for sample in samples.load()]
    shared = shared_runs((sentence.text for sentence in everything), sample_texts)
    print(f"{len(everything)} sentences, {len(sample_texts)} samples, {len(shared)} sentences share six words in a row")
    for text, run in shared:
        print(f"  {text!r} shares {run!r}")
    return 1 if shared else 0


if __name__ == "__main__":
    raise SystemExit(report(sentences()))
