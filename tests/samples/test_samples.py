"""The sample sentences keep their promises: balanced, distinct, clean, and rich in phenomena."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from importlib import resources

import pytest

from espalier import samples

LABELS = {
    "sentiment": {"negative", "positive"},
    "emotion": {"anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise"},
    "topic": {"World", "Sports", "Business", "Sci/Tech"},
}
PHENOMENA = {
    "plain", "negation", "double-negation", "contrast", "concession", "intensifier", "diminisher", "irony",
    "comparison", "conditional", "idiom", "question", "multi-sentence", "modality", "list",
}  # fmt: skip


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def test_every_line_of_the_file_becomes_one_sample() -> None:
    lines = (resources.files("espalier.samples") / "sentences.tsv").read_text("utf-8").split("\n")
    assert lines[0].split("\t") == ["text", "task", "label", "phenomenon", "note", "example"]
    assert lines[-1] == ""
    rows = [line.split("\t") for line in lines[1:-1]]
    assert {len(row) for row in rows} == {6}
    assert {row[5] for row in rows} == {"0", "1"}
    read = [(s.text, s.task, s.label, s.phenomenon, s.note, "1" if s.example else "0") for s in samples.load()]
    assert [tuple(row) for row in rows] == read


def test_the_tasks_have_the_promised_sizes() -> None:
    sizes = Counter(sample.task for sample in samples.load())
    assert sizes == {"sentiment": 200, "emotion": 70, "topic": 50}


@pytest.mark.parametrize("task", LABELS)
def test_the_labels_of_a_task_are_all_there_and_balanced(task: str) -> None:
    counts = Counter(sample.label for sample in samples.for_task(task))
    assert set(counts) == LABELS[task]
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("task", LABELS)
def test_the_first_samples_of_a_task_are_nearly_balanced(task: str) -> None:
    of_task = samples.for_task(task)
    for size in range(len(LABELS[task]), len(of_task) + 1):
        counts = Counter(sample.label for sample in of_task[:size])
        assert max(counts.values()) - min(counts[label] for label in LABELS[task]) <= 2


def test_no_sentence_occurs_twice() -> None:
    repeated = [text for text, count in Counter(folded(s.text) for s in samples.load()).items() if count > 1]
    assert repeated == []


def test_every_phenomenon_is_known_and_shown_at_least_twelve_times() -> None:
    counts = Counter(sample.phenomenon for sample in samples.load())
    assert set(counts) == PHENOMENA
    assert min(counts.values()) >= 12
    assert all(counts[phenomenon] >= 20 for phenomenon in ("negation", "double-negation", "contrast", "irony"))


def test_no_phenomenon_gives_the_sentiment_away() -> None:
    """Each occurs at least three times with either polarity, so that a study by phenomenon compares both."""
    counts = Counter((sample.phenomenon, sample.label) for sample in samples.for_task("sentiment"))
    assert all(counts[phenomenon, label] >= 3 for phenomenon in PHENOMENA for label in LABELS["sentiment"])


def test_texts_and_notes_have_no_stray_whitespace_or_control_characters() -> None:
    for field in (field for sample in samples.load() for field in (sample.text, sample.note)):
        assert field == " ".join(field.split())
        assert not [c for c in field if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn"}], field
        assert field == unicodedata.normalize("NFC", field)


def test_every_sample_has_a_short_note() -> None:
    assert [sample.note for sample in samples.load() if not 0 < len(sample.note) <= 80] == []


def test_lengths_range_from_three_words_to_a_handful_of_very_long_sentences() -> None:
    lengths = [len(sample.text.split()) for sample in samples.load()]
    assert (min(lengths), max(lengths)) == (3, 50)
    assert sum(20 <= length <= 28 for length in lengths) >= 15
    assert 5 <= sum(length >= 40 for length in lengths) <= 10
    assert sum(length > 28 for length in lengths) <= 12


def test_openings_are_varied() -> None:
    """At most three sentences share their first two words: nothing is stamped out from a template."""
    openings = Counter(tuple(folded(sample.text).split()[:2]) for sample in samples.load())
    assert max(openings.values()) <= 3


def test_some_sentences_carry_emoji_quotes_hyphens_and_contractions() -> None:
    texts = [sample.text for sample in samples.load()]
    assert sum(any(unicodedata.category(c) == "So" for c in text) for text in texts) >= 4
    assert sum('"' in text or "“" in text for text in texts) >= 3
    assert sum("-" in text for text in texts) >= 8
    assert sum("n't" in text for text in texts) >= 20


@pytest.mark.parametrize("task", LABELS)
def test_a_task_offers_eight_examples_with_every_label(task: str) -> None:
    offered = samples.examples(task)
    assert len(offered) == 8
    assert {sample.label for sample in offered} == LABELS[task]
    assert len({sample.phenomenon for sample in offered}) >= 4


def test_the_first_example_is_the_lovely_music() -> None:
    first = samples.examples("sentiment")[0]
    assert first.text == "The music is lovely, but the film is not heartwarming or entertaining."
    assert (first.label, first.phenomenon) == ("negative", "contrast")


@pytest.mark.parametrize("ask", [samples.for_task, samples.examples])
def test_an_unknown_task_is_refused_with_the_possible_ones(ask: Callable[[str], object]) -> None:
    with pytest.raises(ValueError, match="unknown task: got 'weather', possible are emotion, sentiment, topic"):
        ask("weather")
