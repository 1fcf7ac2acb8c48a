"""A text with other words in the place of some of its own."""

from collections.abc import Mapping

from espalier.text.passage import Passage, Word


def replaced(passage: Passage, others: Mapping[int, str]) -> Passage:
    """The text with `others` in the places of the words they are given for, and the same words otherwise.

    What stands between words stays. Only where nothing did ("film," or "it's") and two letters or digits would meet, a
    space comes between them.
    """
    if not others:
        return passage
    gaps = passage.gaps()
    source, words = gaps[0], list[Word]()
    for index, own in enumerate(passage.words):
        text = others.get(index, own.text)
        changed = index in others or index - 1 in others
        if changed and source and source[-1].isalnum() and text[:1].isalnum():
            source += " "
        words.append(Word(text, len(source), len(source) + len(text)))
        source += text + gaps[index + 1]
    return Passage(source, tuple(words), passage.sentences)
