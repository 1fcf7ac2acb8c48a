"""What people read when the owner has not written something else."""

from espalier.studies.design import StudyDesign, Texts
from espalier.studies.session import Example, ExampleLine

CONSENT = """You are invited to take part in a study about explanations of computer programs that read text. You \
will read {items} short texts and answer simple questions about them. This takes about {minutes} minutes.

Taking part is voluntary. You can stop at any time by closing this page, without giving a reason. There are no \
right or wrong opinions, and we know of no risks beyond those of reading on a screen; some texts are unfriendly \
reviews.

We record your answers, how long each one took, and the number by which you were invited. That number is kept \
apart from your answers, is not published, and is deleted with the study. If you agree and are 18 or older, go on."""

COHERENCE = """A computer program has read a text and put it into one of these classes: {classes}. Under each text \
you see {lines}: words that the program says mattered most for its choice.

For each line, guess which class the program chose, from that line alone. Do not say what you think of the text \
yourself, and judge each line as if it were the only one: two lines under the same text may well get different \
answers. If a line does not let you guess, choose N/A.

You can answer with the keys shown on the buttons. Your answer is saved when you go on, and cannot be changed \
afterwards."""

PREFERENCE = """A computer program has read a text and put it into one of these classes: {classes}. Two \
explanations, A and B, show how it came to its choice. Coloured words spoke for a class, the stronger the colour \
the more; words in one frame counted together, as one.

Read both, then choose the explanation that makes better sense to you. There is no right answer: it is your \
judgement that counts. A and B mean nothing: which explanation stands first is drawn anew for every text.

You can answer with the keys shown on the buttons. Your answer is saved when you go on, and cannot be changed \
afterwards."""

THANKS = "Thank you! All your answers are saved."

SENTIMENT = frozenset({"negative", "positive"})

_EXAMPLES = {
    SENTIMENT: Example(
        text="There is hardly a dull moment in it.",
        lines=(
            ExampleLine(letter="A", phrase="dull moment", answer="negative"),
            ExampleLine(letter="B", phrase="hardly a dull moment", answer="positive"),
        ),
        why="Whoever sees only “dull moment” guesses negative. “Hardly a dull moment” is praise, so positive. What the "
        "whole text says does not matter: each line is judged by itself.",
    ),
    frozenset({"anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise"}): Example(
        text="I was not afraid at all, I laughed until I cried.",
        lines=(
            ExampleLine(letter="A", phrase="afraid", answer="fear"),
            ExampleLine(letter="B", phrase="laughed until I cried", answer="joy"),
        ),
        why="Whoever sees only “afraid” guesses fear, whatever the rest says. “Laughed until I cried” is joy.",
    ),
    frozenset({"World", "Sports", "Business", "Sci/Tech"}): Example(
        text="The bank will sponsor the national football team.",
        lines=(
            ExampleLine(letter="A", phrase="The bank", answer="Business"),
            ExampleLine(letter="B", phrase="football team", answer="Sports"),
        ),
        why="Each line is judged by itself: “the bank” points to business, “football team” to sports.",
    ),
}


def example(design: StudyDesign, classes: tuple[str, ...]) -> Example | None:
    """Two lines under one text that lead to different guesses; none for classes we have no example for."""
    return _EXAMPLES.get(frozenset(classes)) if design.protocol == "coherence" else None


def texts(design: StudyDesign, classes: tuple[str, ...]) -> Texts:
    """The owner's words where there are some, and ours elsewhere."""
    lines = 1 if design.screen == "apart" else len(design.models) * len(design.methods)
    form = COHERENCE if design.protocol == "coherence" else PREFERENCE
    instructions = form.format(classes=", ".join(classes), lines="one line" if lines == 1 else f"{lines} lines")
    items = min(design.items_per_person, design.items)
    seconds = items * (12 + 6 * lines if design.protocol == "coherence" else 25)
    consent = CONSENT.format(items=f"up to {items}", minutes=max(2, round(seconds / 60)))
    return Texts(
        consent=design.texts.consent or consent,
        instructions=design.texts.instructions or instructions,
        thanks=design.texts.thanks or THANKS,
    )
