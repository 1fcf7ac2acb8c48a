"""What was measured, as sections of a page of the documentation."""

from collections.abc import Callable, Sequence
from statistics import median

from benchmarks import pages
from benchmarks.interface.browser import VIEWS
from benchmarks.interface.frames import Frames
from benchmarks.interface.waiting import Waited
from benchmarks.sections import Rows, Section, Target

PAGE = pages.DOCS / "interface-speed.md"

FIRST_WITHIN, ALL_WITHIN, FRAMES_WANTED = 0.5, 12.0, 50.0
LONG_SENTENCE_WITHIN = 25.0
FIRST_WORD_WITHIN, ALL_WORDS_WITHIN = 2.0, 30.0

OPENING = """# How fast the interface is

Made by `make frames` (`python -m benchmarks.interface`) and `make waits` (`python -m benchmarks.start`, `.long_texts`)
with a server and a Chromium without a GPU on the same machine. Seconds and frames depend on the machine and on what
else it does. Each section is from a run of its own.
"""

WAITING = (
    "Three sentences of about 20 words that the server has not seen, at the interface's own budgets, with the shipped "
    "transformer loaded: seconds from the click on Explain until a view shows its first picture, and until it is done."
)

LONG_SENTENCES = (
    "sentences of {least} to {most} words that the server has not seen, at the interface's own settings, with the "
    "shipped transformer loaded: seconds from the click on Explain until the first view shows a picture, until "
    "the ladder is done (in its economical form, see [ladders.md](ladders.md)), and until all five views are."
)

WORDS = (
    "Three prompts of 12 words for the shipped language model, which has been made ready before: its likeliest next "
    "word in all five views at the interface's own budgets."
)

FRAMES = (
    "A sentence of 60 words with all views finished. The pointer goes to another mark about every frame and all "
    "pictures on the page answer; typing is a key every 40 ms. Frames are counted in the page. Work and the "
    "longest task are processor time on the page's own thread, from Chromium's trace: at 50 frames a second, a frame "
    "has 20 ms."
)


def write(section: Section, run: pages.Run) -> None:
    """One section in the page, the others as they are."""
    pages.write(PAGE, OPENING, section, run)


def waiting_section(waits: Sequence[Waited], typical: Callable[[list[float]], float]) -> Section:
    return _waiting("From the click to the pictures", WAITING, waits, typical, FIRST_WITHIN, ALL_WITHIN)


def words_section(waits: Sequence[Waited], typical: Callable[[list[float]], float]) -> Section:
    title = "From the click to the pictures of a next word"
    return _waiting(title, WORDS, waits, typical, FIRST_WORD_WITHIN, ALL_WORDS_WITHIN, " of a next word, 12 words")


def _waiting(
    title: str,
    explanation: str,
    waits: Sequence[Waited],
    typical: Callable[[list[float]], float],
    first_within: float,
    all_within: float,
    of: str = "",
) -> Section:
    rows = [
        (view, f"{typical([w.first[view] for w in waits]):.2f}", f"{typical([w.done[view] for w in waits]):.2f}")
        for view in VIEWS
    ]
    first = typical([wait.first_picture for wait in waits])
    done = typical([wait.all_views for wait in waits])
    rows.append(("any / all", f"{first:.2f}", f"{done:.2f}"))
    return Section(
        title,
        explanation,
        [Rows("", ("view, median seconds", "first picture", "finished"), rows)],
        [
            Target(f"first partial picture{of}", f"≤ {first_within:g} s", f"{first:.2f} s", first <= first_within),
            Target(f"all five views{of}", f"≤ {all_within:.0f} s", f"{done:.1f} s", done <= all_within),
        ],
    )


def long_sentences_section(waits: Sequence[tuple[int, Waited]]) -> Section:
    """Sentences, each with its words: the mark is for every one of them."""
    lengths = [words for words, _ in waits]
    slowest = max(wait.all_views for _, wait in waits)
    middle = median(wait.all_views for _, wait in waits)
    return Section(
        "Long sentences",
        f"{len(waits)} {LONG_SENTENCES.format(least=min(lengths), most=max(lengths))}",
        [
            Rows(
                "seconds",
                ("words", "first picture", "ladder finished", "all five views"),
                [
                    (str(words), f"{wait.first_picture:.2f}", f"{wait.done['ladder']:.2f}", f"{wait.all_views:.2f}")
                    for words, wait in waits
                ],
            )
        ],
        [
            Target(
                "all five views of a sentence of 45 to 60 words",
                f"≤ {LONG_SENTENCE_WITHIN:g} s",
                f"{slowest:.1f} s at the slowest (median {middle:.1f})",
                slowest <= LONG_SENTENCE_WITHIN,
            )
        ],
    )


def frames_section(measured: Sequence[tuple[str, Frames]]) -> Section:
    rows = [
        (name, f"{f.per_second:.1f}", f"{f.slowest:.1f}", f"{f.work:.1f}", f"{f.longest_task:.1f}")
        for name, f in measured
    ]
    slowest = min(frames.per_second for _, frames in measured)
    columns = ("what", "frames a second", "95 % of gaps below, ms", "work a frame, ms", "longest task, ms")
    return Section(
        "Frames",
        FRAMES,
        [Rows("", columns, rows)],
        [
            Target(
                "typing and pointing with 60 words in all five views",
                f"≥ {FRAMES_WANTED:.0f} frames a second",
                f"{slowest:.1f} at the slowest",
                slowest >= FRAMES_WANTED,
            )
        ],
    )
