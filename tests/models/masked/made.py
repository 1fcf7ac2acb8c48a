"""A tiny masked language model of any architecture, over six words and a few pieces."""

from collections.abc import Sequence

import torch
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece
from transformers import (
    BertConfig,
    BertForMaskedLM,
    DistilBertConfig,
    DistilBertForMaskedLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
)

from espalier.models.masked.model import MaskedModel

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIX = ["the", "film", "is", "not", "good", "dull"]
PIECES = ["##s", "##ly", "##ness"]
ARCHITECTURES = ["bert", "roberta", "distilbert"]


def tokenizer(words: Sequence[str] = SIX, mask: bool = True) -> PreTrainedTokenizerFast:
    """WordPiece over a few words, small letters only."""
    symbols = [*SPECIAL, *words, *PIECES]
    made = Tokenizer(WordPiece({symbol: index for index, symbol in enumerate(symbols)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(tokenizer_object=made, **names, **({"mask_token": "[MASK]"} if mask else {}))


def network(architecture: str = "bert", words: Sequence[str] = SIX) -> PreTrainedModel:
    """A tiny transformer whose every weight matters."""
    size = len(SPECIAL) + len(words) + len(PIECES)
    common = {"vocab_size": size, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    common |= {"intermediate_size": 64, "max_position_embeddings": 64, "pad_token_id": 0}
    torch.manual_seed(11)
    if architecture == "roberta":
        made: PreTrainedModel = RobertaForMaskedLM(RobertaConfig(**common, type_vocab_size=1))
    elif architecture == "distilbert":
        config = {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64, "max_position_embeddings": 64}
        made = DistilBertForMaskedLM(DistilBertConfig(vocab_size=size, **config))
    else:
        made = BertForMaskedLM(BertConfig(**common))
    for parameter in made.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.3)
    return made.eval()


def masked_model(architecture: str = "bert", words: Sequence[str] = SIX) -> MaskedModel:
    return MaskedModel("tiny", network(architecture, words), tokenizer(words), "1", torch.device("cpu"))
