"""Language models over whole words: their writing, and how they are loaded from a folder."""

import unicodedata

import torch
from safetensors.torch import load_file

from espalier.models.causal.model import CausalModel
from espalier.models.causal.recurrent import CausalLSTM
from espalier.models.causal.words import Tokens
from espalier.models.manifest import read_manifest
from espalier.models.next_word import EDGE, NextWordLSTM
from espalier.models.protocol import Encoding
from espalier.models.revision import revision
from espalier.models.sources import Source
from espalier.models.vocabulary import UNKNOWN, Vocabulary
from espalier.problems import BadModel, BadParameter
from espalier.text import Passage

EDGE_NAME, UNKNOWN_NAME = "<edge>", "<unknown>"


class WordWriting:
    """With a vocabulary of whole words. It knows no spaces: a word is offered as it would go on a text, after a space
    unless it is a mark that follows at once, and is the same word however it is sent back.

    Every text begins after one edge, which never leaves.
    """

    def __init__(self, name: str, vocabulary: Vocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary

    @property
    def mask_id(self) -> int | None:
        return UNKNOWN

    @property
    def pad_id(self) -> int:
        return EDGE

    def encode(self, passage: Passage) -> Encoding:
        words = self.vocabulary.encode(self.name, len(passage.source) + 1, passage, None)
        return Encoding((EDGE, *words.ids), (None, *words.owners), (EDGE_NAME, *words.tokens))

    def tokens_of(self, word: str) -> Tokens:
        pieces = self.vocabulary.pieces(word.strip()) if word.strip() else []
        unknown = [piece for piece in pieces if piece not in self.vocabulary]
        if not pieces or unknown:
            raise BadParameter(
                f"a word that {self.name} cannot write: got {word!r}, possible are the {len(self.vocabulary.words):,} "
                "words it knows"
            )
        return tuple(map(self.vocabulary.id, pieces))

    def text_of(self, token: int) -> str | None:
        word = self.piece(token)
        if token in (EDGE, UNKNOWN) or self.vocabulary.pieces(word) != [word]:
            return None
        return f" {word}" if _stands_apart(word) else word

    def piece(self, token: int) -> str:
        return {EDGE: EDGE_NAME, UNKNOWN: UNKNOWN_NAME}.get(token) or self.vocabulary.words[token - 2]


def _stands_apart(word: str) -> bool:
    """Whether a space is written before it: not before closing marks and what is left of "is" and "not"."""
    return word != "n't" and (word[0].isalnum() or unicodedata.category(word[0]) in ("Ps", "Pi", "Pd", "Sc"))


def load(source: Source, device: torch.device) -> CausalModel:
    folder = source.own_folder()
    manifest = read_manifest(folder)
    for needed in ("weights.safetensors", "vocabulary.txt"):
        if not (folder / needed).is_file():
            raise BadModel(f"incomplete word-level language model: got {folder} without {needed}")
    vocabulary = Vocabulary((folder / "vocabulary.txt").read_text(encoding="utf-8").splitlines())
    try:
        network = NextWordLSTM(len(vocabulary), **manifest.get("network", {}))
        weights = load_file(folder / "weights.safetensors")
        network.load_state_dict({key: value.float() for key, value in weights.items()})
    except (RuntimeError, ValueError, TypeError) as error:
        raise BadModel(f"weights do not fit the network in {folder}: {str(error).splitlines()[0]}") from error
    writing = WordWriting(source.name, vocabulary)
    mark = revision(folder)
    return CausalModel(
        source.name, manifest["family"], CausalLSTM(network, device), writing, mark, manifest["max_length"]
    )
