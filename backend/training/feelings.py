"""Sentences that teach how feelings compose: "I'm not scared, I'm furious" is anger, whatever else it names.

    python -m training.feelings               counts, and the proof that none is a sample sentence

What teaches composition of sentiment (`composition`) for the seven emotions. Comments that people wrote mostly name the
feeling they have, and a model learns to look for its name. Here a sentence names several, and only the construction
decides which one is meant, or that none is. More than two hundred were written one by one, as people write comments
(`feelings.tsv`): most of these name nothing and show it. The others come from the templates below, in which all
emotions take all places.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from training import data
from training.composition import Sentence, in_turn, report, written

SEED = 7
PER_LABEL = 10
"""Sentences from templates for each phenomenon and emotion."""
TIMES = 3
"""How often each is read beside the comments, which are fifty times as many."""
WRITTEN = Path(__file__).with_suffix(".tsv")

NEUTRAL = "neutral"

FEELINGS = {
    "anger": ("furious", "angry", "livid", "mad", "outraged", "fuming", "annoyed", "pissed off"),
    "disgust": ("disgusted", "grossed out", "revolted", "repulsed", "sickened", "nauseated"),
    "fear": ("scared", "terrified", "afraid", "frightened", "nervous", "worried", "anxious"),
    "joy": ("happy", "delighted", "thrilled", "glad", "excited", "proud", "relieved", "grateful"),
    "sadness": ("sad", "heartbroken", "miserable", "gutted", "devastated", "lonely", "crushed"),
    "surprise": ("surprised", "stunned", "astonished", "baffled", "speechless", "amazed", "confused"),
}
"""What one is who has a feeling."""

THINGS = (
    "the new schedule",
    "the interview",
    "what he wrote",
    "the test results",
    "that trade",
    "the last episode",
    "her answer",
    "the letter from the landlord",
    "this update",
    "the news from home",
    "the move",
    "that phone call",
)
"""What any feeling can be about."""

# {own} is the feeling that is meant; {other} and {another} are two that are not. {thing} is what it is about.
MEANT = {
    "correction": (
        "I'm not {other} about {thing}, I'm {own}.",
        "I wouldn't say {other}. {Own} is the word.",
        "{Other}? No. {Own}.",
        "Not {other}, not {another}, just {own}.",
        "People think {thing} made me {other}. It made me {own}.",
        "It isn't that I'm {other}: I'm {own}, that's all.",
    ),
    "contrast": (
        "I wanted to be {other} about {thing}, but I'm {own}.",
        "Everyone else seems {other}, but {thing} just left me {own}.",
        "My brother is {other} about {thing}; me, I'm {own}.",
        "I was all set to be {other} and ended up {own}.",
        "You sound {other}, but honestly I'm {own} about {thing}.",
    ),
    "past-now": (
        "I used to be {other} about {thing}, now I'm {own}.",
        "At first I was {other}, then I thought about {thing} again and now I'm {own}.",
        "Yesterday I was still {other}. Today I'm {own}.",
        "I was {other} for about a minute and I've been {own} ever since.",
        "No longer {other} about {thing}, only {own}.",
    ),
    "intensifier": (
        "I have never been this {own} about {thing}.",
        "I couldn't be more {own} about {thing}.",
        "So {own} right now, and not even a little {other}.",
        "A tiny bit {other}, but mostly very, very {own}.",
        "Way more {own} than {other}, to be honest.",
        "Hardly {other} at all, but extremely {own}.",
    ),
    "concession": (
        "Even though I should be {other} about {thing}, I'm {own}.",
        "I know I ought to be {other}, still I'm {own}.",
        "As {other} as I was before, {thing} made me {own}.",
        "Although everybody tells me to be {other}, I'm {own} about {thing}.",
        "Despite being a bit {other}, I'm above all {own} about {thing}.",
    ),
    "question": (
        "Why would I be {other} about {thing}? I'm {own}.",
        "Am I {other}? No, {own}.",
        "How can anyone be {other} about {thing}? I'm {own}.",
        "Is it weird that I'm not {other} but {own}?",
        "Do I look {other} to you? I'm {own}, that's what I am.",
    ),
    "irony": (
        "Oh yes, I'm so {other} about {thing}. In case you can't tell, I'm {own}.",
        "Sure, {other}, that's me. Try {own}.",
        "If by {other} you mean {own}, then yes, I'm {other} about {thing}.",
        "Yeah, right, {other}. I'm {own} and you know it.",
        "This is my {other} face, can't you tell? I'm {own}.",
    ),
}

UNMOVED = {
    "correction": (
        "I'm not {other} about {thing}, I'm only asking what it says.",
        "Nobody is {other} here, {thing} comes first on the list, that's all.",
        "The word in the text is {other}, not {another}.",
    ),
    "contrast": (
        "Some were {other} about {thing}, some were {another}, and the rest had no opinion.",
        "The first version said {other}, but the second one says {another}.",
        "My brother is {other} about {thing}; me, I have no feelings either way.",
    ),
    "past-now": (
        "I used to be {other} about {thing}, now I don't think about it much.",
        "People were {other} about {thing} back then, today it's the usual procedure.",
        "It said {other} here yesterday, now it says {another}.",
    ),
    "intensifier": (
        "Not really {other}, not really {another}, more or less indifferent to {thing}.",
        "The word {other} occurs exactly twice on that page, {another} four times.",
        "Neither very {other} nor very {another}, it's just {thing}.",
    ),
    "concession": (
        "Although some people are {other} about it, {thing} stays as it is.",
        "Even if you are {other} about {thing}, the form is the same.",
        "Whether you're {other} or {another}, {thing} is on page two.",
    ),
    "question": (
        "Did they say {other} or {another}? I need it for the minutes.",
        "Does anybody know who said they were {other} about {thing}?",
        "Should I tick {other} or {another} for {thing}?",
    ),
}
"""Sentences in which nobody who speaks is moved, whatever they name. Irony is never so."""


def fill(template: str, label: str, random_source: random.Random) -> str:
    others = random_source.sample([emotion for emotion in FEELINGS if emotion != label], 2)
    other, another = (random_source.choice(FEELINGS[emotion]) for emotion in others)
    own = random_source.choice(FEELINGS[label]) if label in FEELINGS else ""
    text = template.format(
        own=own,
        Own=own.capitalize(),
        other=other,
        Other=other.capitalize(),
        another=another,
        thing=random_source.choice(THINGS),
    )
    return text[0].upper() + text[1:]


def from_templates(label: str, random_source: random.Random) -> Iterator[Sentence]:
    """PER_LABEL different sentences of each phenomenon, the templates in turn."""
    for phenomenon, templates in (UNMOVED if label == NEUTRAL else MEANT).items():
        seen: set[str] = set()
        for template in in_turn(templates):
            if len(seen) == PER_LABEL:
                break
            text = fill(template, label, random_source)
            if text not in seen:
                seen.add(text)
                yield Sentence(text, label, phenomenon)


def sentences() -> list[Sentence]:
    """All of them, the same in every run."""
    random_source = random.Random(SEED)
    made = [sentence for label in data.EMOTIONS for sentence in from_templates(label, random_source)]
    return written(WRITTEN) + made


def with_comments() -> tuple[data.Labelled, data.Labelled]:
    """GoEmotions' training comments and these sentences, several times each; held out are comments alone."""
    comments, held = data.emotions()
    composed = [(sentence.text, data.EMOTIONS.index(sentence.label)) for sentence in sentences()]
    return comments + composed * TIMES, held


if __name__ == "__main__":
    raise SystemExit(report(sentences()))
