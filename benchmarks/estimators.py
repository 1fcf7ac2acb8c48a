"""Error against evaluations of the estimators behind SHAP and the graph, on games whose every value is known.

    python -m benchmarks.estimators --file dev.tsv --games FOLDER

Sentences of a file, or the project's samples, are enumerated once: 13 words on the transformer, 16 on the LSTM, 17 on
the CNN. Their 2^n values are kept in a folder, and what was measured beside them, so a run that was cut off goes on.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks import exact
from benchmarks.counted import CountedModel
from benchmarks.set_functions import SetFunction, Table, enumerate_directly
from espalier import samples
from espalier.engine.threads import one_thread_for_algebra
from espalier.explain.graph.asiv import AsivParameters, asiv
from espalier.explain.plan import FloatArray, GameShape
from espalier.explain.shap.method import ShapParameters, shap
from espalier.explain.toy import Toy
from espalier.models.catalog import catalog
from espalier.text import read

MODELS = (("sst2-minilm", 13), ("sst2-lstm", 16), ("sst2-cnn", 17))
BUDGETS = (100, 200, 500, 1000, 2000)
PAGE = Path("docs/estimators.md")
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

PEERS = {
    # Percent at each budget. Others and the estimator before this one were measured once on other sentences of the same
    # set (shapiq 1.8.0 and 1.6, 10 seeds); the latter also on those of the committed table (3 seeds).
    "values": {
        "sst2-minilm": {
            "before, the same sentences": (10.85, 4.90, 2.12, 0.89, 0.40),
            "before, other sentences": (11.4, 5.9, 2.1, 1.0, 0.4),
            "OddSHAP": (15.5, 7.5, 3.1, 1.3, 0.6),
            "ProxySHAP, best": (13.9, 7.0, 3.1, 1.3, 0.5),
            "RegressionMSR": (16.1, 8.6, 3.3, 1.3, 0.5),
            "KernelSHAP, leverage": (13.7, 8.2, 4.7, 2.9, 1.7),
            "ShaplEIG": (7.3, None, None, None, None),
        },
        "sst2-lstm": {
            "before, the same sentences": (13.97, 5.52, 2.14, 1.13, 0.52),
            "before, other sentences": (13.6, 4.7, 1.8, 0.9, 0.4),
            "OddSHAP": (23.8, 10.8, 3.9, 1.7, 0.8),
            "ProxySHAP, best": (18.8, 10.6, 4.5, 2.6, 1.3),
            "ShaplEIG": (8.8, None, None, None, None),
        },
        "sst2-cnn": {
            "before, the same sentences": (24.32, 8.35, 3.44, 2.15, 0.98),
            "before, other sentences": (24.2, 9.5, 3.4, 1.7, 0.9),
            "OddSHAP": (34.9, 19.3, 6.2, 3.1, 1.5),
            "ProxySHAP / RegressionMSR, best": (19.4, 8.9, 3.9, 2.2, 1.0),
            "ShaplEIG": (14.8, None, None, None, None),
        },
    },
    "interactions": {
        "sst2-minilm": {
            "before, the same sentences": (60.1, 30.3, 11.6, 5.5, 2.5),
            "before, other sentences": (None, 34.9, 13.1, 6.4, 3.1),
            "ProxySHAP, best": (None, 40.2, 18.1, 7.8, 3.5),
        },
        "sst2-lstm": {
            "before, the same sentences": (159.7, 54.4, 20.8, 11.6, 6.9),
            "before, other sentences": (None, 66.2, 25.9, 15.3, 9.2),
            "ProxySHAP, best": (None, 62.0, 34.8, 20.3, 11.2),
        },
        "sst2-cnn": {
            "before, the same sentences": (133.2, 68.2, 27.1, 14.7, 7.8),
            "before, other sentences": (None, 59.1, 22.6, 11.4, 5.5),
            "ProxySHAP without correction": (None, 39.5, 27.4, 21.5, 18.1),
            "KernelSHAP-IQ": (None, 1349, 186, 102, 57),
        },
    },
}


@dataclass(frozen=True, slots=True)
class Truth:
    """A game and its exact answers."""

    name: str
    model: str
    table: Table
    values: FloatArray
    interactions: FloatArray


def sentences(file: Path | None) -> list[str]:
    if file is None:
        return [sample.text.removesuffix(".") for sample in samples.for_task("sentiment")]
    # A column of sentences and one of labels, in any order.
    return [max(line.split("\t"), key=len) for line in file.read_text(encoding="utf-8").splitlines()]


def truths(file: Path | None, folder: Path, count: int) -> Iterable[Truth]:
    """Up to `count` games of each model, enumerated where the folder has none, evenly over the sentences."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = sentences(file)
    for model, words in MODELS:
        fitting = [text for text in texts if len(read(text).words) == words]
        chosen = [fitting[len(fitting) * k // count] for k in range(count)] if len(fitting) > count else fitting
        for number, text in enumerate(chosen):
            kept = folder / f"{model}-{words}-{number}.npz"
            if not kept.exists():
                with SetFunction(CountedModel(catalog().load(model)), text) as function:
                    table = function.table() if model == "sst2-minilm" else enumerate_directly(function)
                np.savez(kept, values=table.values, text=text)
            table = Table(np.load(kept)["values"])
            yield Truth(kept.stem, model, table, exact.shapley_values(table), exact.interactions(table))


def measure(truth: Truth, budget: int, seed: int) -> dict[str, list[float]]:
    """Of values and interactions: relative error, share inside the 95 % intervals."""
    shape = GameShape(tuple(map(str, range(truth.table.size))), ("class",), 0)
    with one_thread_for_algebra():
        found = Toy(truth.table).run(shap(shape, ShapParameters(budget=budget, seed=seed)))
        graph = Toy(truth.table).run(asiv(shape, AsivParameters(budget=budget, seed=seed)))
    above = np.triu_indices(truth.table.size, 1)
    return {
        "values": _judged(np.array(found.values), np.array(found.standard_errors), truth.values),
        "interactions": _judged(
            np.array(graph.interaction)[above],
            np.array(graph.standard_errors.interaction)[above],
            truth.interactions[above],
        ),
    }


def _judged(found: FloatArray, errors: FloatArray, truth: FloatArray) -> list[float]:
    inside = np.abs(found - truth) <= 1.96 * errors
    return [exact.relative_error(found, truth), float(inside.mean()), len(truth)]


Key = tuple[str, int, int]


def main(
    games: Annotated[Path, typer.Option(help="Folder where enumerated games and measurements are kept.")],
    file: Annotated[Path | None, typer.Option(help="Sentences, a line each; the project's samples if none.")] = None,
    count: int = 4,
    seeds: int = 10,
    budgets: Annotated[str, typer.Option(help="Numbers of coalitions, with commas.")] = ",".join(map(str, BUDGETS)),
    write: Annotated[bool, typer.Option(help="Write the tables into docs/estimators.md.")] = True,
) -> None:
    """Measure what is not measured yet, show the tables, write them."""
    log = games / "measured.jsonl"
    known: dict[Key, dict[str, list[float]]] = {}
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            name, budget, seed, found = json.loads(line)
            known[name, budget, seed] = found
    wanted = [int(budget) for budget in budgets.split(",")]
    chosen: dict[Key, dict[str, list[float]]] = {}
    with_model: dict[str, str] = {}
    for truth in truths(file, games, count):
        with_model[truth.name] = truth.model
        for budget in wanted:
            for seed in range(seeds):
                key = (truth.name, budget, seed)
                if key not in known:
                    known[key] = measure(truth, budget, seed)
                    with log.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps([*key, known[key]]) + "\n")
                chosen[key] = known[key]
        typer.echo(f"{truth.name}: measured")
    text = tables(chosen, with_model, wanted, seeds)
    typer.echo(text)
    if write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
        typer.echo(f"Written: {PAGE}")


def tables(found: dict[Key, dict[str, list[float]]], with_model: dict[str, str], budgets: list[int], seeds: int) -> str:
    """Markdown: errors beside those of the peers, then coverage."""
    lines = [f"{len(with_model)} games, {seeds} seeds. Errors in percent."]
    for kind, by_model in PEERS.items():
        lines += ["", f"### {kind.capitalize()}", "", _row("", *map(str, budgets)), "|---|" + "---:|" * len(budgets)]
        for model, rows in by_model.items():
            games = [name for name, of in with_model.items() if of == model]
            if not games:
                continue
            ours = [100 * _error(found, games, budget, seeds, kind) for budget in budgets]
            lines.append(_row(f"**{model}**: espalier", *(f"**{error:.2f}**" for error in ours)))
            for name, errors in rows.items():
                cells = [dict(zip(BUDGETS, errors, strict=True)).get(budget) for budget in budgets]
                lines.append(_row(name, *("" if cell is None else f"{cell:g}" for cell in cells)))
        ours = [100 * _error(found, list(with_model), budget, seeds, kind) for budget in budgets]
        worst = [100 * max(found[n, b, s][kind][0] for n in with_model for s in range(seeds)) for b in budgets]
        covered = [_covered(found, list(with_model), budget, seeds, kind) for budget in budgets]
        lines.append(_row("all games, geometric mean", *(f"{error:.2f}" for error in ours)))
        lines.append(_row("the worst single run", *(f"{error:.1f}" for error in worst)))
        lines.append(_row("inside the 95 % intervals", *(f"{100 * share:.1f}" for share in covered)))
    return "\n".join(lines)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _error(found: dict[Key, dict[str, list[float]]], games: list[str], budget: int, seeds: int, kind: str) -> float:
    """Root mean square over seeds, geometric mean over games."""
    of_games = [np.sqrt(np.mean([found[name, budget, s][kind][0] ** 2 for s in range(seeds)])) for name in games]
    return float(np.exp(np.mean(np.log(of_games))))


def _covered(found: dict[Key, dict[str, list[float]]], games: list[str], budget: int, seeds: int, kind: str) -> float:
    rows = [found[name, budget, seed][kind] for name in games for seed in range(seeds)]
    return float(np.average([row[1] for row in rows], weights=[row[2] for row in rows]))


if __name__ == "__main__":
    typer.run(main)
