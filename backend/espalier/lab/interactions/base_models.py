"""Models that learn the paper's functions (MAHE, section 5.2.1), so that something trained can be explained, as in its
Figure 3: boosted trees, a multilayer perceptron, a recurrent network. And the function itself, which knows its
interaction exactly."""

import warnings
from collections.abc import Callable
from typing import Literal

import numpy as np

from espalier.explain.plan import FloatArray
from espalier.lab.interactions.synthetic import INPUTS, Function

Base = Literal["function", "trees", "mlp", "lstm"]
BASES: tuple[Base, ...] = ("function", "trees", "mlp", "lstm")

Values = Callable[[FloatArray], FloatArray]
"""Of float[m, 10] in float[m]."""

EXAMPLES = 10_000
"""Inputs that a model learns from, drawn evenly between -1 and 1. The paper does not say how many."""

LSTM_SIZE, LSTM_EPOCHS, LSTM_BATCH, LSTM_RATE = 32, 30, 100, 1e-2


def learnt(base: Base, function: Function, seed: int) -> Values:
    """The function as such a model has learnt it."""
    if base == "function":
        return function.value
    inputs = np.random.default_rng([seed, 1]).uniform(-1, 1, (EXAMPLES, INPUTS))
    values = function.value(inputs)
    middle, scale = float(values.mean()), float(values.std())
    predict = _LEARN[base](inputs, (values - middle) / scale, seed)
    return lambda given: middle + scale * predict(given)


def _trees(inputs: FloatArray, values: FloatArray, seed: int) -> Values:
    from sklearn.ensemble import HistGradientBoostingRegressor

    found = HistGradientBoostingRegressor(max_iter=300, early_stopping=False, random_state=seed).fit(inputs, values)
    return lambda given: np.asarray(found.predict(given), dtype=np.float64)


def _mlp(inputs: FloatArray, values: FloatArray, seed: int) -> Values:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor

    found = MLPRegressor(hidden_layer_sizes=(64, 32), max_iter=80, early_stopping=True, random_state=seed)
    with warnings.catch_warnings():
        # That it could go on learning is no news: how well it has learnt is measured.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found.fit(inputs, values)
    return lambda given: np.asarray(found.predict(given), dtype=np.float64)


def _lstm(inputs: FloatArray, values: FloatArray, seed: int) -> Values:
    """Inputs come one after the other, as words do."""
    import torch  # seconds to import

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = torch.nn.LSTM(1, LSTM_SIZE, batch_first=True)
        head = torch.nn.Linear(LSTM_SIZE, 1)
        given, wanted = (torch.as_tensor(each, dtype=torch.float32) for each in (inputs[:, :, None], values))
        parameters = [*network.parameters(), *head.parameters()]
        descent = torch.optim.Adam(parameters, lr=LSTM_RATE)
        steps = LSTM_EPOCHS * EXAMPLES // LSTM_BATCH
        pace = torch.optim.lr_scheduler.CosineAnnealingLR(descent, steps)
        for _ in range(LSTM_EPOCHS):
            for chosen in torch.randperm(EXAMPLES).split(LSTM_BATCH):
                error = ((head(network(given[chosen])[0][:, -1])[:, 0] - wanted[chosen]) ** 2).mean()
                descent.zero_grad()
                error.backward()
                descent.step()
                pace.step()

    def predict(asked: FloatArray) -> FloatArray:
        with torch.inference_mode():
            read = network(torch.as_tensor(asked[:, :, None], dtype=torch.float32))[0][:, -1]
            return np.asarray(head(read)[:, 0].double().numpy())

    return predict


_LEARN: dict[str, Callable[[FloatArray, FloatArray, int], Values]] = {"trees": _trees, "mlp": _mlp, "lstm": _lstm}
