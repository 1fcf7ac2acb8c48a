"""Any Hugging Face sequence classifier: from a local folder or a hub id, safetensors only, no remote code."""

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import logging as transformers_logging

from espalier.models.batches import by_width, stepped
from espalier.models.inside import answer
from espalier.models.laying_out import lay_out
from espalier.models.outcomes import Outcomes
from espalier.models.packing import EIGHT, pack, packing
from espalier.models.precision import Rounding
from espalier.models.protocol import Encoding, FloatArray, TokenRow
from espalier.models.revision import combine, revision
from espalier.models.rounding import lower_body
from espalier.models.sources import Source
from espalier.models.transfer import on_device
from espalier.problems import BadModel, TooLong
from espalier.text import Passage, read, words_of_tokens

transformers_logging.disable_progress_bar()
# A head that an adapter replaces is reported as missing from the backbone: true, and no news to the user.
transformers_logging.set_verbosity_error()

_KEPT: tuple[list[int], ...] = ([1, 2, 3, 4, 5, 6], [2, 5], [], [3, 6])
"""Tokens of a probe that are present, beside its first and its last."""


class TransformerModel:
    """A transformer classifier that skips what it cannot see.

    A token with attention 0 changes nothing but its own row, so an absent token is left out of the computation and the
    others keep their position ids: the same output for about half the work. Whether an architecture allows this is
    tried at load on a probe; one that does not (relative positions, say) gets its gaps filled with masked pad tokens.
    """

    family = "transformer"
    rounding: Rounding | None = None

    def __init__(
        self,
        name: str,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        classes: tuple[str, ...],
        revision: str,
        device: torch.device,
        max_length: int | None = None,
    ) -> None:
        if not tokenizer.is_fast:
            raise BadModel(
                f"{name} needs a fast tokenizer: got {type(tokenizer).__name__}, which has no character offsets"
            )
        self.name = name
        self.classes = classes
        self.outcomes = Outcomes(classes)
        self.revision = revision
        self.device = device
        self.tokenizer = tokenizer
        self.network = model.to(device).eval()
        limits = [max_length, tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None)]
        self.max_length = min(limit for limit in limits if limit)
        self.mask_id: int | None = tokenizer.mask_token_id
        self.pad_id: int | None = tokenizer.pad_token_id
        # What fills a batch where nothing is seen: any token will do where there is none for it.
        self._filler = self.pad_id or 0
        self._segments = "token_type_ids" in tokenizer.model_input_names and self._type_count() > 1
        self._position_offset = self._find_position_offset()
        self._packs = self._try_packing()

    def _type_count(self) -> int:
        return int(getattr(self.network.config, "type_vocab_size", 0) or 0)

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        texts = (passage.source,) if pair is None else (passage.source, pair.source)
        encoded = self.tokenizer(*texts, return_offsets_mapping=True, verbose=False)
        ids = encoded["input_ids"]
        if len(ids) > self.max_length:
            raise TooLong(
                f"text too long for {self.name}: got {len(ids):,} tokens ({len(passage.words):,} words), "
                f"possible are up to {self.max_length}; shorten the text or explain it in parts"
            )
        part_of_token = encoded.sequence_ids()
        offsets = encoded["offset_mapping"]
        owners: list[int | None] = [None] * len(ids)
        for part, words, base in ((0, passage.words, 0), (1, pair.words if pair else (), len(passage.words))):
            inside = [token for token, belongs in enumerate(part_of_token) if belongs == part]
            found = words_of_tokens(words, [offsets[token] for token in inside])
            for token, owner in zip(inside, found, strict=True):
                owners[token] = None if owner is None else owner + base
        return Encoding(tuple(ids), tuple(owners), tuple(self.tokenizer.convert_ids_to_tokens(ids)))

    def width(self, row: TokenRow) -> int:
        """How many places a row takes in a batch, whatever its company: see `packing` and `batches`."""
        if self._packs:
            return len(row.ids)
        if self._position_offset is None:
            # An architecture that numbers positions itself has none beyond its limit.
            return max(row.length, min(stepped(row.length), self.max_length))
        return stepped(len(row.ids))

    @torch.inference_mode()
    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        return self._packed(rows) if self._packs else by_width(rows, self.width, self._forward)

    def _scores(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What is read from each row of a batch."""
        return cast(torch.Tensor, self.network(**batch).logits)

    def _forward(self, rows: Sequence[TokenRow], width: int) -> FloatArray:
        return cast(FloatArray, self._scores(self.batch(rows, width)).float().cpu().numpy())

    def _packed(self, rows: Sequence[TokenRow]) -> FloatArray:
        """One forward pass over the rows' tokens, whatever their lengths."""
        order = sorted(range(len(rows)), key=lambda index: len(rows[index].ids))
        first = rows[order[0]]
        missing = [TokenRow(first.ids[:1], first.positions[:1], 1)] * (-len(rows) % EIGHT)
        together = missing + [rows[index] for index in order]
        batch = self.batch(together)
        del batch["attention_mask"]
        lengths = [len(row.ids) for row in together]
        where = packing(lengths, batch["input_ids"].shape[1], self.device)
        logits = self.network(**batch, packed_rows=where).logits[len(missing) :].float().cpu().numpy()
        outputs: FloatArray = np.empty_like(logits)
        outputs[order] = logits
        return outputs

    def batch(self, rows: Sequence[TokenRow], width: int = 0) -> dict[str, torch.Tensor]:
        """Rows as tensors on the device, padded to at least `width`."""
        if self._position_offset is None:
            return self._with_gaps(rows, width)
        lengths = np.array([len(row.ids) for row in rows])
        width = max(width, int(lengths.max()))
        # All rows' tokens at once, into the places that they fill: row by row costs more than the tensors themselves.
        seen = np.arange(width) < lengths[:, None]
        ids = np.full(seen.shape, self._filler, dtype=np.int64)
        ids[seen] = np.concatenate([row.ids for row in rows])
        positions = np.zeros(seen.shape, dtype=np.int64)
        positions[seen] = np.concatenate([row.positions for row in rows])
        return self._tensors(ids, seen.astype(np.int64)) | {
            "position_ids": on_device(positions + self._position_offset, self.device)
        }

    def _with_gaps(self, rows: Sequence[TokenRow], width: int = 0) -> dict[str, torch.Tensor]:
        width = max(width, *(row.length for row in rows))
        ids = np.full((len(rows), width), self._filler)
        seen = np.zeros((len(rows), width), dtype=np.int64)
        for index, row in enumerate(rows):
            ids[index, row.positions] = row.ids
            seen[index, row.positions] = 1
        return self._tensors(ids, seen)

    def _tensors(self, ids: np.ndarray, seen: np.ndarray) -> dict[str, torch.Tensor]:
        batch = {"input_ids": ids, "attention_mask": seen}
        if self._segments:
            # The second text of a pair begins after the first separator. Special tokens are never left out.
            separators = np.cumsum(ids == self.tokenizer.sep_token_id, axis=1) - (ids == self.tokenizer.sep_token_id)
            batch["token_type_ids"] = np.minimum(separators, 1) * seen
        return {name: on_device(value, self.device) for name, value in batch.items()}

    @torch.inference_mode()
    def _find_position_offset(self) -> int | None:
        """Where this architecture starts counting positions (RoBERTa starts after its pad id), or None if tokens cannot
        be skipped without changing the output."""
        if "position_ids" not in inspect.signature(self.network.forward).parameters:
            return None
        ids = np.asarray(self.tokenizer("one two three four five six seven eight nine")["input_ids"], dtype=np.int64)
        everything = np.arange(len(ids))
        kept = everything[(everything % 2 == 1) | (everything == 0) | (everything == len(ids) - 1)]
        whole, part = TokenRow(ids, everything, len(ids)), TokenRow(ids[kept], kept, len(ids))
        as_usual = self._scores(self._with_gaps([whole]))
        for offset in (0, self._filler + 1):
            self._position_offset = offset
            # Gaps are filled with explicit positions too: RoBERTa's own numbering would close up over them.
            filled = self._with_gaps([part]) | {
                "position_ids": torch.as_tensor(everything[None] + offset, device=self.device)
            }
            same_numbering = torch.allclose(self._scores(self.batch([whole])), as_usual, atol=1e-4)
            skips = torch.allclose(self._scores(self.batch([part])), self._scores(filled), atol=1e-4)
            if same_numbering and skips:
                return offset
        return None

    @torch.inference_mode()
    def _try_packing(self) -> bool:
        """Whether this architecture gives the same outputs packed."""
        if self._position_offset is None or not self.tokenizer.num_special_tokens_to_add():
            return False  # what may have no token at all has no place in the long row
        whole = self.encode(read("one two three four five six seven eight nine")).row()
        parts = [TokenRow(whole.ids[[0, *kept, -1]], whole.positions[[0, *kept, -1]], whole.length) for kept in _KEPT]
        usual = np.concatenate([self._forward([part], 0) for part in parts])
        return pack(self.network, lambda: np.allclose(self._packed(parts), usual, atol=1e-4))

    def lower(self, dtype: torch.dtype) -> None:
        lower_body(self.network, dtype)

    def lay_out(self) -> None:
        lay_out(self.network)

    def inspect(self, question: str, **arguments: Any) -> Any:
        return answer(self, question, arguments)


def load(source: Source, device: torch.device) -> TransformerModel:
    """Refuses what has no classifier: transformers would make one up, with random weights."""
    heads = source.config.get("architectures") or []
    if heads and not source.is_a("ForSequenceClassification"):
        raise BadModel(
            f"{source.name} is no classifier: got {', '.join(heads)}, possible are …ForSequenceClassification"
        )
    where = source.entry.source if source.folder is None else str(source.folder)
    return load_transformer(source.name, where, device, source.entry.classes)


def load_transformer(
    name: str, source: str, device: torch.device, classes: tuple[str, ...] | None = None
) -> TransformerModel:
    """Load from a folder, or from the hub when `source` is not a folder but looks like a hub id."""
    folder = Path(source)
    if folder.is_dir():
        check_folder(folder)
    elif folder.exists() or source.count("/") > 1 or source.startswith((".", "/", "~")):
        raise BadModel(f"no model at {source}: got no such folder, give a folder with config.json and *.safetensors")
    options: dict[str, Any] = {"trust_remote_code": False}
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, **options)
        model = AutoModelForSequenceClassification.from_pretrained(
            source, use_safetensors=True, dtype=torch.float32, **options
        )
    except (OSError, ValueError, KeyError) as error:
        raise BadModel(f"cannot load {source}: {str(error).splitlines()[0]}") from error
    labels = labels_of(name, model, classes)
    mark = revision(folder) if folder.is_dir() else combine([source, str(getattr(model.config, "_commit_hash", ""))])
    return TransformerModel(name, model, tokenizer, labels, mark, device)


def labels_of(name: str, model: PreTrainedModel, classes: tuple[str, ...] | None) -> tuple[str, ...]:
    """The given names of the classes, which must be as many as the model has, or its own."""
    own = tuple(str(model.config.id2label[index]) for index in range(model.config.num_labels))
    if classes is not None and len(classes) != len(own):
        raise BadModel(
            f"the classes of {name} do not fit the model: got {len(classes)} ({', '.join(classes)}), "
            f"possible are {len(own)} names, in the place of {', '.join(own)}"
        )
    return classes or own


def check_folder(folder: Path) -> None:
    """Refuse what would run code or cannot be a classifier, with what is missing."""
    if not (folder / "config.json").is_file():
        raise BadModel(
            f"not a model folder: got {folder} without config.json, possible is a folder saved by save_pretrained"
        )
    if not list(folder.glob("*.safetensors")):
        pickled = [path.name for path in folder.iterdir() if path.suffix in {".bin", ".pt", ".pth", ".pkl", ".ckpt"}]
        got = f"pickle weights ({', '.join(sorted(pickled))}), which can run code" if pickled else "no weights"
        raise BadModel(f"unsafe or missing weights in {folder}: got {got}, possible are *.safetensors files")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadModel(f"unreadable config.json in {folder}: {error}") from error
    if "auto_map" in config:
        raise BadModel(
            f"{folder} asks to run code of its own (auto_map): possible are architectures transformers knows"
        )


def wrap_pipeline(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, classes: tuple[str, ...] | None, device: torch.device
) -> TransformerModel:
    """A classifier that is already in memory, such as a transformers pipeline's."""
    if not hasattr(model.config, "num_labels") or not type(model).__name__.endswith("ForSequenceClassification"):
        raise BadModel(
            f"not a sequence classifier: got {type(model).__name__}, possible is a text-classification pipeline"
        )
    labels = labels_of(str(model.config.name_or_path or type(model).__name__), model, classes)
    mark = combine([type(model).__name__, str(id(model))])
    return TransformerModel(
        str(model.config.name_or_path or type(model).__name__), model, tokenizer, labels, mark, device
    )
