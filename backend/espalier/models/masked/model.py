"""A masked language model on one device: what a blank stands for with some of the text absent, and words to fill in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from espalier.models.batches import filled, stepped
from espalier.models.causal.head import chunks, likeliest, log_probabilities
from espalier.models.masked.draw import Drawn
from espalier.models.masked.head import Head
from espalier.models.masked.rank import Ranked
from espalier.models.masked.whole_words import WholeWords
from espalier.models.next_words import COUNT, OTHER, Surprise
from espalier.models.outcomes import Outcomes
from espalier.models.packing import EIGHT, pack, packing
from espalier.models.protocol import Encoding, FloatArray, IntArray, TokenRow, refuse
from espalier.models.transfer import on_device
from espalier.models.transformer import TransformerModel
from espalier.problems import BadModel, BadParameter, BadText, NotSupported
from espalier.text import Passage, is_blank, read, replaced

LOOKED_AT = 4
"""How many times as many tokens as words are looked at: some are pieces of words."""

CPU_BATCH_TOKENS = 768
CUDA_BATCH_TOKENS = 32768


@dataclass(frozen=True)
class AtBlank:
    """How outputs are read as a language model's: some words at the blank, each one token, and any other."""

    tokens: tuple[int, ...]


class MaskedModel(TransformerModel):
    """Rows are read at one place each, `read_at`. Rows that are the same text read at several places are computed once:
    that is what a text with many words to fill in is."""

    family = "masked-lm"

    def __init__(
        self,
        name: str,
        network: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        revision: str,
        device: torch.device,
        max_length: int | None = None,
    ) -> None:
        if tokenizer.mask_token_id is None:
            raise BadModel(
                f"{name} has no mask token: got {type(tokenizer).__name__} without one, possible is a tokenizer that "
                "names its mask_token"
            )
        self.blank_id = int(tokenizer.mask_token_id)
        vocabulary = int(network.config.vocab_size)
        if len(tokenizer) > vocabulary:
            raise BadModel(
                f"the tokenizer of {name} is another model's: got {len(tokenizer):,} tokens, possible are up to "
                f"{vocabulary:,}"
            )
        self.whole_words = WholeWords(tokenizer, vocabulary)
        super().__init__(name, network, tokenizer, (), revision, device, max_length)
        self._head = Head(name, self.network)
        self._words = self._head.of(torch.as_tensor(self.whole_words.tokens, device=device))
        self.batch_tokens = CUDA_BATCH_TOKENS if device.type == "cuda" else CPU_BATCH_TOKENS
        self.small_letters = tokenizer.tokenize("The") == tokenizer.tokenize("the")

    # ------------------------------------------------------------------------------------------------ texts to tokens

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        """A text with one blank, which never leaves and is where the model is read."""
        if pair is not None:
            raise NotSupported(f"{self.name} reads one text: got a pair, possible is a text alone")
        count = sum(is_blank(word.text) for word in passage.words)
        if count != 1:
            raise BadText(
                f"{self.name} says what a blank stands for: got {count or 'no'} blank{'s' if count > 1 else ''}, "
                f"possible is one {self.tokenizer.mask_token} (or ___) in the text"
            )
        found = self.read_words(passage)
        blank = found.ids.index(self.blank_id)
        owners = [None if token == blank else owner for token, owner in enumerate(found.owners)]
        return Encoding(found.ids, tuple(owners), found.tokens, blank)

    def read_words(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        mask = str(self.tokenizer.mask_token)
        texts = [
            replaced(each, {index: mask for index, word in enumerate(each.words) if is_blank(word.text)})
            for each in ((passage,) if pair is None else (passage, pair))
        ]
        return super().encode(*texts)

    def unreadable(self, passage: Passage, pair: Passage | None = None) -> list[str]:
        return [word for word, own in self._written(passage, pair) if self._is_unread(word, own)]

    def in_pieces(self, passage: Passage, pair: Passage | None = None) -> list[str]:
        return [
            word
            for word, own in self._written(passage, pair)
            if word.isalpha() and len(own) > 1 and not self._is_unread(word, own)
        ]

    def _is_unread(self, word: str, own: list[int]) -> bool:
        return not own or self.tokenizer.unk_token_id in own or (len(own) > 1 and len(own) >= len(word))

    def _written(self, passage: Passage, pair: Passage | None) -> list[tuple[str, list[int]]]:
        """The words of a text, but for blanks, each with its tokens."""
        found = self.read_words(passage, pair)
        pieces: dict[int, list[int]] = {}
        for token, owner in zip(found.ids, found.owners, strict=True):
            if owner is not None:
                pieces.setdefault(owner, []).append(token)
        words = [*passage.words, *(pair.words if pair else ())]
        return [(word.text, pieces.get(at, [])) for at, word in enumerate(words) if not is_blank(word.text)]

    def word_of(self, token: int) -> str:
        return self.whole_words.texts[token]

    def drawn(self, draws: int, seed: int = 0, likeliest: bool = False) -> Outcomes:
        return Outcomes(tuple(f"draw {draw + 1}" for draw in range(draws)), Drawn(draws, seed, likeliest))

    def ranks(self, tokens: Mapping[int, int]) -> Outcomes:
        return Outcomes(("rank",), Ranked(tuple(tokens.items())))

    # ------------------------------------------------------------------------------------- outcomes at the text's blank

    def choose(self, encoding: Encoding, words: Sequence[str] = (), count: int = COUNT) -> Outcomes:
        named = {word: self._named(word) for word in words}
        if len(set(named.values())) < len(named):
            raise BadParameter(
                f"words that are one to {self.name}: got {', '.join(map(repr, named))}, possible are different ones"
            )
        likely: dict[str, int] = {}
        if count:
            by_token = {token: word for word, token in named.items()}
            for token, _ in likeliest(self._head, self.hidden([encoding.row()]), LOOKED_AT * count + len(named))[0]:
                word = by_token.get(token) or self.whole_words.texts.get(token)
                if word is not None:
                    likely[word] = token
                if len(likely) == count:
                    break
        chosen = likely | named
        if not chosen:
            raise BadParameter("no words to look for: got none, possible are one or more, or a count of likely ones")
        return Outcomes((*chosen, OTHER), AtBlank(tuple(chosen.values())))

    def pieces(self, outcomes: Outcomes) -> tuple[tuple[str, ...], ...]:
        assert isinstance(outcomes.read, AtBlank)
        return tuple((self.word_of(token),) for token in outcomes.read.tokens)

    def surprise(self, passage: Passage, count: int = COUNT) -> list[Surprise]:
        raise self._no_running_text()

    def bits(self, passages: Sequence[Passage]) -> list[float]:
        raise self._no_running_text()

    def _no_running_text(self) -> NotSupported:
        return NotSupported(
            f"{self.name} reads the words on both sides of a blank: got a running text, possible is a model that says "
            "next words"
        )

    def _named(self, word: str) -> int:
        if word == OTHER or not word.strip() or any("\ud800" <= character <= "\udfff" for character in word):
            raise BadParameter(f"not a word: got {word!r}, possible are words that a blank may stand for")
        token, pieces = self.whole_words.token_of(word)
        if token is None:
            raise BadParameter(
                f"a blank of {self.name} stands for one token: got {word!r}, which it writes with {pieces}; possible "
                f"are the {len(self.whole_words.texts):,} words that are one"
            )
        return token

    # ----------------------------------------------------------------------------------------------------- forward pass

    def lay_out(self) -> None:
        super().lay_out()
        self._words.lay_out()

    def arranged(self, rows: Sequence[TokenRow]) -> tuple[list[int], list[int]]:
        """Rows of one text beside each other. The first takes all of its tokens, the others one each: the head's work
        for a place is about the body's for a token."""
        texts: dict[tuple[bytes, bytes], list[int]] = {}
        for index, row in enumerate(rows):
            texts.setdefault((row.ids.tobytes(), row.positions.tobytes()), []).append(index)
        widths = [1] * len(rows)
        for members in texts.values():
            widths[members[0]] += len(rows[members[0]].ids)
        return [index for members in texts.values() for index in members], widths

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        read_as = None if outcomes is None else outcomes.read
        if isinstance(read_as, AtBlank):
            asked, others = log_probabilities(self._head, self.hidden(rows), read_as.tokens)
            return np.concatenate([asked, others[:, None]], axis=1)
        if isinstance(read_as, Drawn | Ranked):
            return self._among_words(rows, read_as)
        raise BadModel(f"{self.name} says words: got a question without any, possible are outcomes that it chose")

    @torch.inference_mode()
    def _among_words(self, rows: Sequence[TokenRow], read_as: Drawn | Ranked) -> FloatArray:
        found, start = [], 0
        for chunk in chunks(self.hidden(rows)):
            own = rows[start : start + len(chunk)]
            scores = self._words.logits(chunk)[: len(own)].float()
            whole = scores if self._words.is_narrow else scores[:, self.whole_words.tokens]
            found.append(read_as.read(whole, self.whole_words.tokens, own))
            start += len(own)
        return np.concatenate(found)

    @torch.inference_mode()
    def hidden(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        """Hidden states where the rows are read, float[rows, size]: the same bits in any company."""
        texts: dict[tuple[bytes, bytes], tuple[int, TokenRow]] = {}
        which = np.empty(len(rows), dtype=np.int64)
        for index, row in enumerate(rows):
            which[index] = texts.setdefault((row.ids.tobytes(), row.positions.tobytes()), (len(texts), row))[0]
        where = np.array([_index(row) for row in rows])
        distinct = [row for _, row in texts.values()]
        if self._packs:
            together, at = self._packed_states(distinct)
            return together[on_device(at[which], self.device), on_device(where, self.device)]
        states = self._padded_states(distinct)
        return torch.stack([states[text][place] for text, place in zip(which.tolist(), where.tolist(), strict=True)])

    def _packed_states(self, rows: Sequence[TokenRow]) -> tuple[torch.Tensor, IntArray]:
        """Hidden states of all rows, by one pass over their tokens, whatever their lengths; and where each row is."""
        order = sorted(range(len(rows)), key=lambda index: len(rows[index].ids))
        first = rows[order[0]]
        missing = [TokenRow(first.ids[:1], first.positions[:1], 1)] * (-len(rows) % EIGHT)
        together = missing + [rows[index] for index in order]
        batch = self.batch(together)
        del batch["attention_mask"]
        where = packing([len(row.ids) for row in together], batch["input_ids"].shape[1], self.device)
        states = self.network.base_model(**batch, packed_rows=where).last_hidden_state
        at = np.empty(len(rows), dtype=np.int64)
        at[order] = len(missing) + np.arange(len(rows))
        return states, at

    def _padded_states(self, rows: Sequence[TokenRow]) -> list[torch.Tensor]:
        """The same where an architecture cannot be packed: each width by itself."""
        groups: dict[int, list[int]] = {}
        for index, row in enumerate(rows):
            groups.setdefault(self._padded_width(row), []).append(index)
        found: dict[int, torch.Tensor] = {}
        for width, members in groups.items():
            chosen = [rows[index] for index in members]
            chosen += chosen[-1:] * (filled(len(chosen)) - len(chosen))
            states = self.network.base_model(**self.batch(chosen, width)).last_hidden_state
            for own, index in zip(states, members, strict=False):
                # With gaps filled in a token stands at its position, not in its turn.
                found[index] = own[rows[index].positions] if self._position_offset is None else own
        return [found[index] for index in range(len(rows))]

    def _padded_width(self, row: TokenRow) -> int:
        if self._position_offset is None:
            return max(row.length, min(stepped(row.length), self.max_length))
        return stepped(len(row.ids))

    def _scores(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Of a probe at load: what the first token has seen of all others."""
        states: torch.Tensor = self.network.base_model(**batch).last_hidden_state[:, 0]
        return states

    @torch.inference_mode()
    def _try_packing(self) -> bool:
        if self._position_offset is None or not self.tokenizer.num_special_tokens_to_add():
            return False
        whole = super().encode(read("one two three four five six seven eight nine")).row()
        kept = [np.array(each) for each in ([0, 2, 3, 5, -1], [0, -1], [0, 4, 6, -1], [*range(len(whole.ids))])]
        parts = [
            TokenRow(whole.ids[each], whole.positions[each], whole.length, int(whole.positions[each][-1]))
            for each in kept
        ]
        self._packs = False
        usual = self.hidden(parts)

        def works() -> bool:
            states, at = self._packed_states(parts)
            found = states[torch.as_tensor(at), torch.as_tensor([len(part.ids) - 1 for part in parts])]
            return torch.allclose(found, usual, atol=1e-4)

        return pack(self.network, works)

    def inspect(self, question: str, **arguments: Any) -> Any:
        raise refuse(self, question, ())


def _index(row: TokenRow) -> int:
    """Which of a row's tokens is read."""
    if row.read_at is None:
        raise BadModel("a masked language model is read at a place: got a row without one, possible is read_at")
    return int(np.searchsorted(row.positions, row.read_at))
