"""The word models' networks: a linear bag of words, Kim's CNN, a bidirectional LSTM."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class BagOfWords(nn.Module):
    """Logits are a bias plus one vector for each word: a model with no interactions at all."""

    def __init__(self, vocabulary: int, classes: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, classes, padding_idx=0)
        self.bias = nn.Parameter(torch.zeros(classes))

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        return self.embedding(ids).sum(1) + self.bias


class KimCNN(nn.Module):
    """Convolutions of several widths over word vectors, the maximum of each over the text (Kim, 2014)."""

    widths = (3, 4, 5)

    def __init__(
        self, vocabulary: int, classes: int, vector_size: int = 100, filters: int = 100, dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, vector_size, padding_idx=0)
        self.convolutions = nn.ModuleList(nn.Conv1d(vector_size, filters, width) for width in self.widths)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(filters * len(self.widths), classes)

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        return self.from_vectors(self.embedding(ids), lengths)

    def from_vectors(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        # Four zero vectors on both sides: every word meets every place of the widest filter, and a text of one word,
        # or of none, still has a window to look at.
        edge = max(self.widths) - 1
        padded = nn.functional.pad(vectors.transpose(1, 2), (edge, edge))
        windows = torch.arange(padded.shape[2], device=padded.device)
        pooled = []
        for width, convolution in zip(self.widths, self.convolutions, strict=True):
            responses = torch.relu(convolution(padded))
            # Windows beyond this text belong to the batch's longer ones.
            beyond = windows[: responses.shape[2]] >= (lengths + 2 * edge - width + 1)[:, None]
            pooled.append(responses.masked_fill(beyond[:, None], 0.0).amax(2))
        return self.classifier(self.dropout(torch.cat(pooled, 1)))


class BidirectionalLSTM(nn.Module):
    """The last state of each direction into a linear layer: a shape that contextual decomposition can follow."""

    def __init__(
        self, vocabulary: int, classes: int, vector_size: int = 100, hidden: int = 150, dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, vector_size, padding_idx=0)
        self.lstm = nn.LSTM(vector_size, hidden, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(2 * hidden, classes)

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        return self.from_vectors(self.embedding(ids), lengths)

    def from_vectors(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        packed = pack_padded_sequence(
            self.dropout(vectors), lengths.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False
        )
        _, (last, _) = self.lstm(packed)
        return self.classifier(self.dropout(torch.cat([last[0], last[1]], 1)))
