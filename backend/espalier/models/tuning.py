"""Teach a classifier other values on a few rows, with few small steps: what an edit is made by (MAHE, section 4.2)."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from espalier.models.inside.scores import on_scale
from espalier.models.precision import rounding_of
from espalier.models.protocol import FloatArray, HostedModel, TokenRow
from espalier.models.transformer import TransformerModel
from espalier.models.word_model import WordModel
from espalier.problems import NotSupported, Problem
from espalier.text import read

BATCH = 64
LOOK = 5
"""Steps between two looks at the rows that decide when to stop."""

PATIENCE = 6
"""Looks in a row that find no better weights end the lesson."""

LAST_BLOCKS = 2
"""Of a transformer's blocks, those that are taught, with all that comes after them."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Rows, the log-odds of one class that they should have, and what each counts for."""

    rows: Sequence[TokenRow]
    targets: FloatArray
    weights: FloatArray


@dataclass(frozen=True, slots=True)
class Learnt:
    """How far it went: weighted squared errors on the rows that decided when to stop, and the step that was kept."""

    before: float
    after: float
    steps: int


def teach(
    model: HostedModel,
    lesson: Lesson,
    check: Lesson,
    target: int,
    *,
    rate: float | None,
    steps: int,
    enough: float,
    seed: int = 0,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Learnt:
    """Change the model's own weights until `check` is met: its error at most a share `enough` of what it was, or no
    longer falling. The weights of the best look are kept. Nothing is dropped out: the same lesson gives the same
    weights."""
    teachable = _teachable(model)
    # An adapter's backbone was merged frozen.
    parameters = list(_parameters(teachable))
    for each in parameters:
        each.requires_grad_(True)
    optimizer = torch.optim.Adam(parameters, lr=rate or usual_rate(teachable))
    generator = np.random.default_rng(seed)
    chances = np.asarray(lesson.weights, dtype=np.float64) / np.sum(lesson.weights)
    before = best = error(teachable, check, target)
    kept, kept_at, worse = [each.detach().clone() for each in parameters], 0, 0
    for step in range(1, steps + 1):
        # Rows are drawn as often as they count, so that a step of a few rows is a step of the whole lesson on average.
        drawn = generator.choice(len(lesson.rows), size=min(BATCH, len(lesson.rows)), p=chances)
        wanted = torch.as_tensor(lesson.targets[drawn], dtype=torch.float32, device=teachable.device)
        optimizer.zero_grad()
        loss = ((_log_odds(teachable, [lesson.rows[each] for each in drawn], target) - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        advance(step, steps)
        if step % LOOK and step < steps:
            continue
        found = error(teachable, check, target)
        if found < best:
            best, kept_at, worse = found, step, 0
            kept = [each.detach().clone() for each in parameters]
        else:
            worse += 1
        if best <= enough * before or worse == PATIENCE:
            break
    with torch.no_grad():
        for each, value in zip(parameters, kept, strict=True):
            each.copy_(value)
    for each in parameters:
        each.grad = None
    return Learnt(before, best, kept_at)


def as_it_is(model: HostedModel, texts: Sequence[str], target: int) -> Lesson:
    """What the model says of whole texts, as a lesson that changes nothing; what it cannot read is left out."""
    rows: list[TokenRow] = []
    for text in texts:
        with suppress(Problem):
            rows.append(model.encode(read(text)).row())
    with torch.no_grad():
        values = [_log_odds(_teachable(model), part, target).double().cpu() for part in _parts(rows)]
    return Lesson(rows, torch.cat([*values, torch.empty(0)]).numpy(), np.ones(len(rows)))


def beside(lesson: Lesson, other: Lesson) -> Lesson:
    """Both, each counting half."""
    if not len(other.rows):
        return lesson
    return Lesson(
        [*lesson.rows, *other.rows],
        np.concatenate([lesson.targets, other.targets]),
        np.concatenate([lesson.weights / np.sum(lesson.weights), other.weights / np.sum(other.weights)]),
    )


def error(model: HostedModel, lesson: Lesson, target: int) -> float:
    """Weighted mean squared error of the log-odds."""
    with torch.no_grad():
        found = torch.cat([_log_odds(_teachable(model), part, target) for part in _parts(lesson.rows)]).cpu().numpy()
    return float(np.average((found - lesson.targets) ** 2, weights=lesson.weights))


def _teachable(model: HostedModel) -> WordModel | TransformerModel:
    if not isinstance(model, WordModel | TransformerModel) or not model.classes:
        raise NotSupported(
            f"{model.name} cannot be edited: got a model of the family {model.family}, possible are classifiers with "
            "weights of their own (word models and transformers)"
        )
    if (rounding := rounding_of(model)) is not None:
        raise NotSupported(
            f"{model.name} is taught in single precision: got weights in {rounding.precision}, possible is "
            "ESPALIER_PRECISION=float32"
        )
    return model


def usual_rate(model: HostedModel) -> float:
    """Of Adam: vectors of words move further than the layers of a transformer."""
    return 5e-4 if isinstance(model, WordModel) else 1e-4


def _parameters(model: WordModel | TransformerModel) -> Iterator[torch.nn.Parameter]:
    """What is taught: a word model as a whole, of a transformer what comes last, so that an edit stays small."""
    everything = list(model.network.parameters())
    stacks = [each for each in model.network.modules() if isinstance(each, torch.nn.ModuleList)]
    if isinstance(model, TransformerModel) and stacks:
        first = next(max(stacks, key=len)[-LAST_BLOCKS:].parameters())
        everything = everything[next(at for at, each in enumerate(everything) if each is first) :]
    yield from everything


def _log_odds(model: WordModel | TransformerModel, rows: Sequence[TokenRow], target: int) -> torch.Tensor:
    batch: Any = model.batch(rows)
    logits = model.network(*batch) if isinstance(model, WordModel) else model.network(**batch).logits
    return on_scale(logits, "log_odds")[:, target]


def _parts(rows: Sequence[TokenRow]) -> Iterator[Sequence[TokenRow]]:
    for start in range(0, len(rows), 4 * BATCH):
        yield rows[start : start + 4 * BATCH]
