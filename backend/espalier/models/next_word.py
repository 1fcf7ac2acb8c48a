"""The network of the word-level language model: an LSTM that reads word by word and says how likely each next word is.

A folder of the family `word-lm` holds `weights.safetensors` (half precision), `vocabulary.txt` (one word a line) and
`espalier.json` with the sizes under "network". Ids are those of `espalier.models.vocabulary.Vocabulary`: words from 2
on, 1 for every unknown word, and 0, a pad elsewhere, for the edge of a text. Every text begins after one edge, which
is read first, from the zero state: `step([EDGE], start(1))` is the model's opening. As an outcome, 0 is the text's end.

Hosting it takes no more than

    network = NextWordLSTM(len(vocabulary), **manifest["network"])
    network.load_state_dict({key: value.float() for key, value in load_file(folder / "weights.safetensors").items()})
    features, state = network.step(torch.tensor([EDGE]), network.start(1))
    for each id of the text: features, state = network.step(torch.tensor([id]), state)
    torch.log_softmax(network.logits(features), -1)      exact, over the whole vocabulary

States are tensors whose second dimension is the row, so those of a trie's nodes are gathered by index_select(1, …).
"""

import torch
from torch import nn

EDGE = 0

State = tuple[torch.Tensor, torch.Tensor]
"""Hidden and cell state, each layers × rows × units."""


class NextWordLSTM(nn.Module):
    """Word vectors, LSTM layers, a projection back to the size of the vectors, and the same vectors as output layer."""

    def __init__(
        self, vocabulary: int, vector_size: int = 200, hidden: int = 400, layers: int = 1, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, vector_size)
        self.lstm = nn.LSTM(vector_size, hidden, layers, batch_first=True, dropout=dropout if layers > 1 else 0.0)
        self.projection = nn.Linear(hidden, vector_size)
        self.dropout = nn.Dropout(dropout)
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def start(self, rows: int) -> State:
        """The state before anything was read, not even the edge."""
        zero = self.bias.new_zeros((self.lstm.num_layers, rows, self.lstm.hidden_size))
        return zero, zero

    def forward(self, ids: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        """Read rows × length ids. The features after each of them, and the state after the last."""
        read, state = self.lstm(self.dropout(self.embedding(ids)), state)
        return self.projection(self.dropout(read)), state

    def step(self, ids: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        """Read one more id of each row. The features to ask for next words, rows × vector size, and the new state."""
        features, state = self(ids[:, None], state)
        return features[:, 0], state

    def logits(self, features: torch.Tensor, ids: torch.Tensor | None = None) -> torch.Tensor:
        """Of all words or only of `ids`. The normaliser needs all of them; a contrast of two words does not."""
        if ids is None:
            return nn.functional.linear(features, self.embedding.weight, self.bias)
        return nn.functional.linear(features, self.embedding(ids), self.bias[ids])
