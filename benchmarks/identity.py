"""`python -m benchmarks.identity --against REVISION`: are the numbers of two versions of the code the same, to the bit?

Some seventy requests (every method, model, reference, kind of players and scale, and pairs of texts) are answered by
this tree and by another revision's, each in a process of its own, and the explanations are compared field by field.
This file is run by both processes, so it uses of the library only what has always been there.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parents[1]

NOT_COMPARED = {"seconds": "time is never the same twice"}
"""Fields of an explanation that may differ, and why. Those that only the newer document has are named, not compared."""

RENAMED = {"base_value": "base", "full_value": "full", "error": "additivity_error"}
"""Fields of a result that have another name now: each common fact has one on the wire."""

SHORT = "The film isn't good, but never dull."
LONG = "A well-made story: nobody who saw it was bored, and the end is not bad at all. I would see it again."
NEWS = "Shares of the airline fell sharply after its profit warning."
PAIR = "Nobody liked the ending."
BRACKETS = "(S (NP (X The) (X film)) (VP (X isn't) (X good)) (X ,) (X but) (ADJP (X never) (X dull)) (X .))"

SMALL: dict[str, dict[str, Any]] = {
    "asiv-published": {"orders": 6},
    "integrated-gradients": {"steps": 8},
    "lime": {"samples": 80},
    "mahe": {"samples": 100},
    "sampled-shapley": {"orders": 12},
    "shap": {"budget": 120},
}
"""Budgets that give wrong answers fast: only sameness is asked for."""

EVERYWHERE = (
    "ls-tree",
    "hedge",
    "hedge-merge",
    "asiv",
    "asiv-published",
    "archipelago",
    "leave-one-out",
    "l-shapley",
    "c-shapley",
    "lime",
    "mahe",
    "sampled-shapley",
    "shap",
    "soc",
)
INSIDE = (
    ("sst2-minilm", "integrated-gradients"),
    ("sst2-cnn", "integrated-gradients"),
    ("sst2-lstm", "integrated-gradients"),
    ("sst2-cnn", "deep-shap"),
    ("sst2-bow", "linear-shap"),
    ("sst2-lstm", "contextual-decomposition"),
    ("sst2-lstm", "acd"),
)
SCALES = ("probability", "log_probability", "log_odds", "margin", "logit")


def questions() -> Iterator[dict[str, Any]]:
    """The requests, each as the fields of an explanation request."""

    def ask(method: str, model: str = "sst2-minilm", text: str = SHORT, **fields: Any) -> dict[str, Any]:
        parameters = {**SMALL.get(method, {}), **fields.pop("parameters", {})}
        return {"text": text, "model": model, "method": method, "parameters": parameters, **fields}

    for method in EVERYWHERE:
        yield ask(method)
    for model, method in INSIDE:
        yield ask(method, model)
    for model, text in (("emotion-minilm", SHORT), ("topic-minilm", NEWS)):
        for method in ("ls-tree", "hedge", "shap"):
            yield ask(method, model, text)
    for model in ("sst2-cnn", "sst2-lstm", "sst2-bow"):
        for method in ("asiv", "mahe", "asiv-published"):
            yield ask(method, model)
    for reference in ("mask", "delete", "marginal"):
        for method, model in (("hedge", "sst2-minilm"), ("shap", "sst2-lstm"), ("linear-shap", "sst2-bow")):
            yield ask(method, model, reference=reference, seed=3)
    yield ask("deep-shap", "sst2-cnn", reference="marginal")
    yield ask("integrated-gradients", "sst2-cnn", reference="mask")
    yield ask("integrated-gradients", reference="mask")
    yield ask("leave-one-out", "sst2-cnn", reference="marginal", background=["One two three.", "Red.", "It is bad."])
    for scale in SCALES:
        yield ask("lime", "emotion-minilm", scale=scale, seed=5)
        yield ask("leave-one-out", "sst2-lstm", scale=scale, target="negative")
    yield ask("integrated-gradients", scale="margin")
    for kind in ("tokens", "phrases", "sentences"):
        yield ask("shap", text=LONG, players=kind)
        yield ask("ls-tree", text=LONG, players=kind)
    yield ask("hedge", players="spans", spans=[[0, 2], [5, 8]])
    yield ask("ls-tree", tree=BRACKETS)
    yield ask("shap", "sst2-cnn", text=LONG, parameters={"algorithm": "partition", "budget": None})
    yield ask("shap", "sst2-cnn", text=LONG, parameters={"budget": 300}, seed=11)
    yield ask("asiv", "sst2-cnn", text=LONG, parameters={"budget": 300}, seed=11)
    for method in ("leave-one-out", "ls-tree", "shap"):
        yield ask(method, pair=PAIR)
    yield ask("sampled-shapley", "sst2-lstm", pair=PAIR, reference="delete")


def name_of(question: dict[str, Any]) -> str:
    shown = {key: value for key, value in question.items() if key not in ("text", "method", "model") and value}
    return f"{question['method']} on {question['model']} {json.dumps(shown) if shown else ''}".rstrip()


def answer() -> None:
    """One line of JSON for each request, from whichever espalier is on the path."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from espalier.library import explain
    from espalier.problems import Problem

    for question in questions():
        try:
            document = explain(**question).model_dump(mode="json")
        except Problem as problem:  # to be refused in the same words is to be answered the same
            document = {"refused": problem.message}
        print(json.dumps(document, sort_keys=True), flush=True)


@contextmanager
def answers_of(place: Path) -> Iterator[Iterator[str]]:
    """Of the code in a folder, or as they were written to a file by `--answer`."""
    if place.is_file():
        with place.open(encoding="utf-8") as lines:
            yield lines
        return
    environment = os.environ | {"PYTHONPATH": str(place / "backend")}
    # -P: the folder of this file is no place to import from.
    command = [sys.executable, "-P", str(Path(__file__).resolve()), "--answer"]
    with subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout
        finally:
            process.kill()


def differences(old: Any, new: Any, at: str = "") -> Iterator[str]:
    """Where two documents differ. What the old one does not have is not looked at."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            now = key if key in new else RENAMED.get(key, key)
            if now not in new:
                yield f"{at}.{key}: gone"
            else:
                yield from differences(value, new[now], f"{at}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, after, f"{at}[{index}]")
    elif json.dumps(old) != json.dumps(new):
        yield f"{at}: {json.dumps(old)[:60]} became {json.dumps(new)[:60]}"


def compare(before: Path, after: Path) -> int:
    """How many requests are answered differently; what differs is printed."""
    different, added, count = 0, set[str](), 0
    with answers_of(before) as old_answers, answers_of(after) as new_answers:
        for question in questions():
            old_line, new_line = next(old_answers, ""), next(new_answers, "")
            if not old_line or not new_line:
                print(f"no answer of the {'new' if old_line else 'old'} code to {name_of(question)}")
                return different + 1
            old, new = json.loads(old_line), json.loads(new_line)
            added |= new.keys() - old.keys()
            found = list(differences({key: value for key, value in old.items() if key not in NOT_COMPARED}, new))
            different += bool(found)
            count += 1
            for line in found[:5]:
                print(f"{name_of(question)}\n    {line}" + (f" … {len(found)} in all" if len(found) > 5 else ""))
    print(
        f"{count - different} of {count} explanations are the same"
        + (f"; new fields: {sorted(added)}" if added else "")
    )
    return different


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", metavar="REVISION", help="a commit, a branch, the folder of a checkout, or a file")
    parser.add_argument("--answer", action="store_true", help="write the answers of the code on the path")
    given = parser.parse_args()
    if given.answer:
        answer()
    elif not given.against:
        parser.error("nothing to compare with: got no --against, possible is a revision such as main~3")
    elif Path(given.against).exists():
        sys.exit(compare(Path(given.against).resolve(), TREE) > 0)
    else:
        with tempfile.TemporaryDirectory() as folder:
            checkout = Path(folder) / "tree"
            subprocess.run(
                ["git", "worktree", "add", "--quiet", "--detach", checkout, given.against], cwd=TREE, check=True
            )
            try:
                sys.exit(compare(checkout, TREE) > 0)
            finally:
                subprocess.run(["git", "worktree", "remove", "--force", checkout], cwd=TREE, check=True)


if __name__ == "__main__":
    main()
