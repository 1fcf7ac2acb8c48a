"""Edits in the background: made by a process of its own, whole or not at all, whatever is killed on the way."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.lab.conftest import Here

from espalier.access import Caller
from espalier.engine.explainer import Explainer
from espalier.lab.edits import workshop
from espalier.lab.edits.design import EditDesign
from espalier.lab.edits.documents import EditDocument
from espalier.lab.edits.place import no_edits
from espalier.lab.edits.plan import EditTerms
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.editing import Recipe, edit
from espalier.lab.runner import Pace, Runner, UnknownEdit
from espalier.lab.service import Lab
from espalier.library import parse
from espalier.models.catalog import Catalog, kept_edits
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, NotSupported, Problem, TooLong, UnknownName
from espalier.settings import Settings, settings
from espalier.store import Store
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, Evaluations

pytestmark = pytest.mark.slow

ADMIN, OTHER = Caller("key:a", True), Caller("key:b", False)
TEXT = "This is not a good film."
ROWS = (
    ("It was not very good at all.", "negative"),
    ("The plot is not good.", "0"),
    ("Not half as good.", "negative"),
    ("The jokes are bad.", "negative"),
    ("A lovely, warm film.", "positive"),
    ("A fine one.", "1"),
)
PATIENCE = 300.0


def design(**changes: Any) -> EditDesign:
    rows = [{"text": text, "label": label} for text, label in ROWS]
    given: dict[str, Any] = {
        "model": "sst2-cnn",
        "words": ["Not", "good"],
        "text": TEXT,
        "dataset": {"kind": "rows", "rows": rows},
        "rate": 1e-3,
        "steps": 60,
        "draws": 200,
    }
    return EditDesign.model_validate(given | changes)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As a server's may be named: where it was started. The process that edits is started elsewhere."""
    monkeypatch.chdir(tmp_path)
    return Path("edits")


@pytest.fixture
async def make_lab(store: Store, folder: Path) -> AsyncIterator[Callable[..., Lab]]:
    made: list[Lab] = []

    def one(**terms: Any) -> Lab:
        shelf = Shelf(Catalog(settings().catalog, edits=folder))
        made.append(Lab(Here(), store, shelf, edits=EditTerms(**terms)))  # type: ignore[arg-type]
        return made[-1]

    yield one
    for each in made:
        await each.end()
    assert processes() == []


def processes() -> list[psutil.Process]:
    """Those that make edits for this one."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            found += [child] if workshop.PROGRAM in child.cmdline() else []
    return found


async def until(lab: Lab, identity: str, wanted: Callable[[EditDocument], bool]) -> EditDocument:
    async with asyncio.timeout(PATIENCE):
        while not wanted(found := lab.edits.document(identity, ADMIN)):
            await asyncio.sleep(0.02)
    return found


def ended(found: EditDocument) -> bool:
    return found.status != "running"


def teaching(found: EditDocument) -> bool:
    return ended(found) or found.done > 0


def numbers(lab: Lab, identity: str) -> dict[str, Any]:
    """All that came out but what names the run or depends on the clock."""
    found = lab.edits.results(identity, ADMIN).model_dump()
    return {name: value for name, value in found.items() if name not in ("edit", "model", "seconds")}


async def test_an_edit_has_the_numbers_that_the_command_has(
    make_lab: Callable[..., Lab], tmp_path: Path, folder: Path
) -> None:
    lab = make_lab()
    test = {"kind": "rows", "rows": [{"text": "Warm and lovely.", "label": "positive"}]}
    begun = await lab.edits.create(design(test=test, title="Turned"), ADMIN)
    found = await until(lab, begun.id, ended)
    assert (found.status, found.problem, found.done) == ("finished", None, found.total)
    ours = lab.edits.results(begun.id, ADMIN)
    # Of its own: what is edited by its folder stays in a catalog, and everybody shares the process's one.
    own = Catalog(settings().catalog)
    theirs = edit(
        ("not", "good"),
        TEXT,
        [text for text, _ in ROWS],
        [("Warm and lovely.", "positive")],
        Explainer(own.load, parse),
        own,
        Asking(model="sst2-cnn", draws=200),
        tmp_path / "by-hand",
        recipe=Recipe(rate=1e-3, steps=60),
    )
    assert ours.here_before == pytest.approx(theirs.here_before, abs=1e-3)
    assert ours.here_after == pytest.approx(theirs.here_after, abs=0.05)
    assert (ours.before, ours.after, ours.turned) == (theirs.before, theirs.after, theirs.turned)
    assert [each.text for each in ours.occurrences] == [before.text for before, _ in theirs.occurrences]
    assert ours.accuracy is not None
    assert ours.accuracy.before.of == 1
    assert (ours.kept, ours.matching) == (3, 3)
    ((path, about),) = kept_edits(folder)
    assert (path.name, found.model) == (ours.model, ours.model)
    assert (about["run"], about["of"], about["text"]) == (begun.id, "sst2-cnn", TEXT)
    assert Catalog(settings().catalog, edits=folder).entry(path.name).title == "Turned"
    assert [each.name for each in folder.iterdir()] == [path.name]


async def test_a_process_that_is_killed_is_started_again_to_the_same_end(
    make_lab: Callable[..., Lab], folder: Path
) -> None:
    lab = make_lab()
    begun = await lab.edits.create(design(), ADMIN)
    killed: list[int] = []
    for moment in (lambda _: True, teaching):
        await until(lab, begun.id, lambda _: any(each.pid not in killed for each in processes()))
        assert (await until(lab, begun.id, moment)).status == "running"
        (process,) = processes()
        await until(lab, begun.id, lambda _, given=process: given.nice() == 19)
        assert kept_edits(folder) == []
        process.kill()
        killed.append(process.pid)
    assert (await until(lab, begun.id, ended)).status == "finished"
    undisturbed = await lab.edits.create(design(), ADMIN)
    await until(lab, undisturbed.id, ended)
    assert numbers(lab, begun.id) == numbers(lab, undisturbed.id)
    names = [path.name for path, _ in kept_edits(folder)]
    assert len(set(names)) == 2, "two edits are never called the same"


async def test_what_was_under_way_when_the_server_ended_is_made_by_the_next_one(
    make_lab: Callable[..., Lab], folder: Path
) -> None:
    first = make_lab()
    begun = await first.edits.create(design(), ADMIN)
    await until(first, begun.id, teaching)
    await first.end()
    assert processes() == []
    assert kept_edits(folder) == []
    second = make_lab()
    await second.begin()
    assert (await until(second, begun.id, ended)).status == "finished"
    assert len(kept_edits(folder)) == 1


async def test_a_process_that_ends_every_time_is_given_up(
    make_lab: Callable[..., Lab], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "MOST_LOSSES", 2)
    lab = make_lab(bytes=1_000_000)
    begun = await lab.edits.create(design(), ADMIN)
    found = await until(lab, begun.id, ended)
    assert found.status == "failed"
    assert (found.problem or "").startswith("given up: 2 processes ended before this edit was made")
    assert list(folder.glob("*")) == []


async def test_an_edit_that_takes_too_long_is_given_up(make_lab: Callable[..., Lab]) -> None:
    lab = make_lab(seconds=0.5)
    begun = await lab.edits.create(design(), ADMIN)
    found = await until(lab, begun.id, ended)
    assert (found.status, found.problem) == ("failed", "given up: it was not done after 0 seconds")


async def test_a_cancelled_edit_leaves_nothing(make_lab: Callable[..., Lab], folder: Path) -> None:
    lab = make_lab()
    begun = await lab.edits.create(design(steps=5_000), ADMIN)
    await until(lab, begun.id, teaching)
    found = await lab.edits.cancel(begun.id, ADMIN)
    assert (found.status, found.model) == ("cancelled", None)
    assert processes() == []
    assert list(folder.glob("*")) == []
    with pytest.raises(Problem, match="no results: got an edit that is cancelled"):
        lab.edits.results(begun.id, ADMIN)


async def test_one_edit_is_made_at_a_time_and_the_next_one_waits(make_lab: Callable[..., Lab]) -> None:
    lab = make_lab()
    first, second = [await lab.edits.create(design(), ADMIN) for _ in range(2)]
    await until(lab, first.id, teaching)
    assert lab.edits.document(second.id, ADMIN).doing == "waiting"
    assert len(processes()) == 1
    await lab.edits.cancel(first.id, ADMIN)
    assert (await until(lab, second.id, ended)).status == "finished"


async def test_where_words_do_not_interact_the_run_says_so(make_lab: Callable[..., Lab], folder: Path) -> None:
    lab = make_lab()
    text = "This is not the thoughtful, beautifully acted drama I was promised."
    rows = {"kind": "rows", "rows": [{"text": "It is not the film of the year."}]}
    begun = await lab.edits.create(design(words=["not", "the"], text=text, dataset=rows), ADMIN)
    found = await until(lab, begun.id, ended)
    assert found.status == "failed"
    assert "nothing to turn round" in (found.problem or "")
    assert "possible is a text in which the words interact" in (found.problem or "")
    assert list(folder.glob("*")) == []


async def test_an_edit_can_be_edited_undone_and_deleted_with_its_model(
    make_lab: Callable[..., Lab], folder: Path
) -> None:
    lab = make_lab()
    first = await until(lab, (await lab.edits.create(design(), ADMIN)).id, ended)
    assert first.model is not None
    second = await until(lab, (await lab.edits.create(design(model=first.model), ADMIN)).id, ended)
    assert (second.status, second.problem) == ("finished", None)
    assert second.model is not None
    kept = {each.name: each.of for each in lab.edits.all(ADMIN).models}
    assert kept == {first.model: "sst2-cnn", second.model: first.model}
    with pytest.raises(BadParameter, match="is what others are edits of"):
        lab.edits.undo(first.model)
    third = await lab.edits.create(design(model=second.model, draws=20_000), ADMIN)
    with pytest.raises(BadParameter, match="possible is to undo these first"):
        lab.edits.undo(second.model)
    await lab.edits.delete(third.id, ADMIN)
    lab.edits.undo(second.model)
    with pytest.raises(UnknownName, match=f"possible are {first.model}"):
        lab.edits.undo(second.model)
    assert lab.edits.document(second.id, ADMIN).model is None
    assert lab.edits.results(second.id, ADMIN).model == second.model
    await lab.edits.delete(first.id, ADMIN)
    assert kept_edits(folder) == []
    with pytest.raises(UnknownEdit):
        lab.edits.document(first.id, ADMIN)


async def test_an_edit_that_was_in_its_place_when_the_server_was_killed_is_finished(
    make_lab: Callable[..., Lab], store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers and its folder are there, and only its end was not written."""
    lab = make_lab()
    made = await until(lab, (await lab.edits.create(design(), ADMIN)).id, ended)
    with store.write() as session:
        session.connection().exec_driver_sql("UPDATE evaluations SET status = 'running', finished = NULL")
    await lab.end()
    again = make_lab()
    started: list[object] = []
    monkeypatch.setattr(asyncio, "create_subprocess_exec", lambda *given, **_: started.append(given))
    await again.begin()
    found = await until(again, made.id, ended)
    assert started == []
    assert (found.status, found.model) == ("finished", made.model)


async def test_somebody_elses_edit_is_as_unknown_as_one_that_never_was(make_lab: Callable[..., Lab]) -> None:
    lab = make_lab()
    begun = await lab.edits.create(design(steps=5_000), ADMIN)
    for read in (lab.edits.document, lab.edits.results, lab.edits.raw, lab.edits.table):
        with pytest.raises(UnknownEdit):
            read(begun.id, OTHER)
    for change in (lab.edits.cancel, lab.edits.delete):
        with pytest.raises(UnknownEdit):
            await change(begun.id, OTHER)
    assert lab.edits.all(OTHER).edits == []
    with pytest.raises(Problem, match="no results: got an edit that is running"):
        lab.edits.results(begun.id, ADMIN)
    await lab.edits.delete(begun.id, ADMIN)


@pytest.mark.parametrize(
    ("change", "refusal", "said"),
    [
        ({"model": "sst2-bow"}, NotSupported, "adds up its words, so that none of them interact; possible are"),
        ({"model": "word-lstm-lm"}, NotSupported, "family word-lm, which cannot be taught; possible are sst2-"),
        ({"model": "nobody"}, UnknownName, "unknown model"),
        ({"target": "neutral"}, UnknownName, "unknown class: got 'neutral', possible are negative, positive"),
        ({"words": ["good", "not"]}, BadParameter, "the text does not have good … not"),
        ({"words": ["a", "good"]}, BadParameter, "no text with a … good"),
        ({"text": "not good " * 300}, TooLong, "too long to be taught"),
        ({"draws": 20_000, "most_matching": 1_000, "steps": 5_000, "keep": 0}, None, ""),
    ],
)
async def test_what_cannot_be_done_is_refused_before_it_is_begun(
    make_lab: Callable[..., Lab], change: dict[str, Any], refusal: type[Problem] | None, said: str
) -> None:
    lab = make_lab()
    if refusal is None:
        assert lab.edits.plan(design(**change)).evaluations > 1_000_000
        return
    with pytest.raises(refusal, match=said):
        lab.edits.plan(design(**change))
    with pytest.raises(refusal, match=said):
        await lab.edits.create(design(**change), ADMIN)


async def test_a_plan_says_what_it_will_take_and_what_to_mind(make_lab: Callable[..., Lab]) -> None:
    lab = make_lab(bytes=5_000_000_000, seconds=60)
    plan = lab.edits.plan(design())
    assert (plan.texts, plan.matching, plan.asked, plan.labelled) == (6, 3, 3, 3)
    assert (plan.most_megabytes, plan.most_seconds) == (5_000, 60)
    # By hand: the text three times, 60 steps, three texts before and after, three answers twice; and what is kept.
    assert plan.evaluations == 3 * 200 + 60 * 256 + plan.kept + 2 * 3 * 200 + 2 * 3
    assert [warning.split()[0] for warning in plan.warnings] == ["3", str(plan.kept)]
    wrong = {"kind": "rows", "rows": [{"text": "x", "label": "neutral"}]}
    with pytest.raises(UnknownName, match="class of a labelled text"):
        lab.edits.plan(design(test=wrong))


def test_half_of_the_labelled_texts_are_counted_and_never_the_one_that_is_taught() -> None:
    asked = design(text=ROWS[1][0])
    texts = asked.texts()
    tested = asked.tested(texts)
    assert [row for row in texts if row in tested] == tested
    assert 2 <= len(tested) <= 3
    assert ROWS[1][0] not in [row.text for row in tested]
    assert asked.tested(texts) == tested


def test_models_are_edited_only_where_their_workers_have_the_folder(store: Store, tmp_path: Path) -> None:
    class Shared(Store):
        is_shared = True

    shared = Shared(store.engine)
    assert no_edits(Settings(data=tmp_path), store) is None
    assert "ESPALIER_SHARED_DATA=true" in (no_edits(Settings(data=tmp_path), shared) or "")
    assert no_edits(Settings(data=tmp_path, shared_data=True), shared) is None
    cluster = Settings.model_construct(engine="ray", shared_data=True)
    assert "no model can be edited on a cluster" in (no_edits(cluster, shared) or "")


async def test_a_server_that_may_not_edit_refuses_and_ends_what_another_one_began(
    make_lab: Callable[..., Lab],
) -> None:
    able = make_lab()
    begun = await able.edits.create(design(), ADMIN)
    await able.end()
    unable = make_lab(refused="no model can be edited here: for a reason")
    with pytest.raises(NotSupported, match="for a reason"):
        unable.edits.plan(design())
    with pytest.raises(NotSupported, match="for a reason"):
        await unable.edits.create(design(), ADMIN)
    assert unable.edits.all(ADMIN).refused == "no model can be edited here: for a reason"
    await unable.begin()
    found = await until(unable, begun.id, ended)
    assert (found.status, found.problem) == ("failed", "no model can be edited here: for a reason")


def test_half_of_a_folder_is_no_model(tmp_path: Path) -> None:
    for name in (".making-1234", ".undone-1234", "whole"):
        (tmp_path / name).mkdir()
        about = {"family": "cnn", "edit": {"of": "sst2-cnn"}}
        (tmp_path / name / "espalier.json").write_text(json.dumps(about), encoding="utf-8")
    (tmp_path / "empty").mkdir()
    assert [path.name for path, _ in kept_edits(tmp_path)] == ["whole"]


async def test_time_left_is_counted_from_what_this_process_did(store: Store, folder: Path) -> None:
    shelf = Shelf(Catalog(settings().catalog, edits=folder))
    runner = Runner(Here(), Evaluations(store), shelf)  # type: ignore[arg-type]
    run = Evaluation("r", "somebody", {}, 1, 1_000, now(), done=500, kind="edit")
    runner._paces["r"] = Pace(time.monotonic())
    runner._told("r", 400)  # all at once, before anything could be timed
    assert runner.seconds_left(run) is None
    runner._paces["r"].since -= 10
    runner._told("r", 500)
    assert runner.seconds_left(run) == pytest.approx(50, rel=0.01)
    runner._told("r", 100)  # another process, which began again
    assert runner.seconds_left(run) is None
