"""Diagnoses as runs: the numbers of `espalier.diagnose`, whatever stops them on the way, and nobody else's to see."""

import asyncio
from typing import Any

import pytest
from tests.lab.conftest import Here, contents, finished, stopped_again_and_again

import espalier
from espalier.access import Caller
from espalier.diagnostics.documents import Diagnosis
from espalier.engine.diagnosing import Diagnosing
from espalier.engine.driver import Cancelled
from espalier.lab import gallery
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults
from espalier.lab.diagnosis.plan import plan
from espalier.lab.diagnosis.results import results
from espalier.lab.diagnosis.service import design_of
from espalier.lab.runner import Runner, UnknownDiagnosis, UnknownEvaluation
from espalier.lab.service import Lab
from espalier.library import shared_explainer
from espalier.measure.diagnosis import DiagnoseRequest
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, NotSupported, UnknownName
from espalier.store import Store
from espalier.store.evaluations import Evaluation, Evaluations

OWNER, OTHER, ADMIN = Caller("key:a", False), Caller("key:b", False), Caller("key:c", True)

EXAMPLE = gallery.BEGINNING + "two-models"

TEXTS = (
    "It is not good but it is fun .",
    "While the jokes never land , the film is lovely .",
    "We laughed while it rained .",
    "Dull from start to end , yet not without charm .",
    "Nobody could dislike this one !",
    "A clever film , but not a moving one .",
)


def design(**changes: Any) -> DiagnosisDesign:
    given: dict[str, Any] = {
        "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
        "models": ["sst2-cnn", "sst2-lstm"],
        "diagnostics": ["linearity", "depth", "contrast"],
        "linear": "sst2-bow",
        "seed": 3,
    }
    return DiagnosisDesign.model_validate(given | changes)


def found_by(store: Store, shelf: Shelf, engine: Here, chosen: DiagnosisDesign) -> tuple[Evaluation, DiagnosisResults]:
    """A diagnosis at its end."""
    evaluations = Evaluations(store)
    identity = asyncio.run(finished(Runner(engine, evaluations, shelf), chosen))  # type: ignore[arg-type]
    run = evaluations.get(identity)
    assert run is not None
    return run, results(run, design_of(run), evaluations.texts(identity), evaluations.rows(identity))


@pytest.fixture(scope="module")
def in_this_process() -> Diagnosis:
    return espalier.diagnose(TEXTS, ["sst2-cnn", "sst2-lstm"], linear="sst2-bow", seed=3)


def test_a_run_finds_the_numbers_of_the_command(
    store: Store, shelf: Shelf, engine: Here, in_this_process: Diagnosis
) -> None:
    run, found = found_by(store, shelf, engine, design())
    assert (run.kind, run.status, run.done, run.failed) == ("diagnosis", "finished", 12, 0)
    for mine, other in zip(found.models, in_this_process.models, strict=True):
        assert (mine.model, mine.texts) == (other.model, 6)
        assert mine.linearity is not None
        assert mine.contrast is not None
        for one, same in (
            (mine.linearity, other.linearity),
            (mine.contrast, other.contrast),
            *zip(mine.depths, other.depths, strict=True),
        ):
            assert same is not None
            assert numbers(one.model_dump()) == pytest.approx(numbers(same.model_dump()), abs=1e-6)
    spoken = [word.word for word in found.models[0].contrast.words if word.parent.count]  # type: ignore[union-attr]
    assert spoken == ["not", "but", "yet", "while (contrast)", "while (time)"]


def numbers(document: Any) -> list[float]:
    """All that are in it, in order."""
    if isinstance(document, dict):
        return [number for each in document.values() for number in numbers(each)]
    if isinstance(document, list):
        return [number for each in document for number in numbers(each)]
    return [float(document)] if isinstance(document, int | float) else []


def test_only_what_is_asked_for_is_found(store: Store, shelf: Shelf, engine: Here) -> None:
    _, found = found_by(store, shelf, engine, design(diagnostics=["depth"], models=["sst2-cnn"], most_texts=2))
    (model,) = found.models
    assert (model.linearity, model.contrast, len(model.depths)) == (None, None, 10)


def test_a_diagnosis_stopped_again_and_again_ends_with_the_bytes_of_one_that_was_not(
    store: Store, shelf: Shelf, engine: Here
) -> None:
    evaluations = Evaluations(store)
    first, _ = found_by(store, shelf, engine, design())
    second, stops = asyncio.run(stopped_again_and_again(engine, evaluations, shelf, design()))
    assert stops >= 2
    assert contents(evaluations, first.id) == contents(evaluations, second)
    assert len(contents(evaluations, second)) == 12


def test_a_text_that_cannot_be_scored_is_left_out_and_said_to_be(store: Store, shelf: Shelf, engine: Here) -> None:
    rows = [{"text": "A fine film , but long ."}, {"text": "word " * 3000}, {"text": "Dull and not good ."}]
    chosen = design(dataset={"kind": "rows", "rows": rows}, models=["sst2-cnn"])
    run, found = found_by(store, shelf, engine, chosen)
    assert (run.done, run.failed) == (3, 1)
    (model,) = found.models
    assert model.texts == 2
    ((reason, times),) = model.problems.items()
    assert times == 1
    assert "got 3000, possible are up to 400" in reason


def test_a_text_that_nobody_waits_for_is_given_up_at_once() -> None:
    unit = Diagnosing(shared_explainer(), DiagnoseRequest(text=TEXTS[0], model="sst2-cnn", fit=True))
    unit.cancel()
    with pytest.raises(Cancelled):
        unit.run()


def test_a_cancelled_diagnosis_keeps_what_it_has_and_shows_it(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> None:
        lab = Lab(engine, store, shelf)  # type: ignore[arg-type]
        engine.wait.clear()
        made = await lab.diagnoses.create(design(), OWNER)
        assert lab.diagnoses.results(made.id, OWNER).models[0].texts == 0
        cancelling = asyncio.create_task(lab.diagnoses.cancel(made.id, OWNER))
        await asyncio.sleep(0)
        engine.wait.set()
        assert (await cancelling).status == "cancelled"
        found = lab.diagnoses.results(made.id, OWNER)
        assert found.complete
        assert found.models[0].texts < 6
        await lab.end()

    asyncio.run(all_of_it())


def test_a_diagnosis_is_its_owners_and_the_admins(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> None:
        lab = Lab(engine, store, shelf)  # type: ignore[arg-type]
        engine.wait.clear()
        made = await lab.diagnoses.create(design(), OWNER)
        for read in (lab.diagnoses.document, lab.diagnoses.results, lab.diagnoses.raw, lab.diagnoses.table):
            with pytest.raises(UnknownDiagnosis, match="no such diagnosis"):
                list(read(made.id, OTHER))
            read(made.id, OWNER)
            read(made.id, ADMIN)
        for change in (lab.diagnoses.cancel, lab.diagnoses.delete):
            with pytest.raises(UnknownDiagnosis):
                await change(made.id, OTHER)
        listed = [[each.id for each in lab.diagnoses.all(who).diagnoses] for who in (OWNER, ADMIN, OTHER)]
        assert listed == [[made.id, EXAMPLE], [made.id, EXAMPLE], [EXAMPLE]]
        # It is no evaluation: neither listed nor found among them.
        assert made.id not in [each.id for each in lab.all(OWNER).evaluations]
        with pytest.raises(UnknownEvaluation, match="no such evaluation"):
            lab.document(made.id, OWNER)
        engine.wait.set()
        await lab.diagnoses.delete(made.id, ADMIN)
        assert [each.id for each in lab.diagnoses.all(ADMIN).diagnoses] == [EXAMPLE]
        await lab.end()

    asyncio.run(all_of_it())


def test_an_example_is_read_by_all_and_changed_by_nobody(store: Store, shelf: Shelf, engine: Here) -> None:
    diagnoses = Lab(engine, store, shelf).diagnoses  # type: ignore[arg-type]
    assert diagnoses.document(EXAMPLE, OTHER).example
    assert diagnoses.results(EXAMPLE, OTHER).paragraph.startswith("We diagnosed sst2-cnn and sst2-bow")
    assert len(diagnoses.rows(EXAMPLE, OTHER, 0, 3).texts) == 3
    assert len(diagnoses.points(EXAMPLE, OTHER, "top-depth").texts) == 100
    assert next(diagnoses.raw(EXAMPLE, OTHER))["sentence"]
    for change in (diagnoses.cancel, diagnoses.delete):
        with pytest.raises(NotSupported, match="an example cannot be changed"):
            asyncio.run(change(EXAMPLE, ADMIN))
    # It is no evaluation.
    with pytest.raises(UnknownEvaluation):
        Lab(engine, store, shelf).document(EXAMPLE, ADMIN)  # type: ignore[arg-type]


def test_what_cannot_be_done_is_refused_before_it_begins(shelf: Shelf) -> None:
    with pytest.raises(BadParameter, match=r"linearity needs a linear model: got none, possible are .*sst2-bow"):
        plan(design(linear=None), shelf)
    with pytest.raises(NotSupported, match=r"possible models are .*sst2-bow"):
        plan(design(linear="sst2-cnn"), shelf)
    with pytest.raises(UnknownName, match="unknown model"):
        plan(design(models=["nobody"]), shelf)
    with pytest.raises(NotSupported, match="classifiers: got word-lstm-lm, possible are"):
        plan(design(models=["word-lstm-lm"]), shelf)
    other = next(each for each in shelf.described() if each.classes and "positive" not in each.classes)
    with pytest.raises(BadParameter, match=f"sst2-bow cannot be compared with {other.entry.name}: got no class"):
        plan(design(models=[other.entry.name]), shelf)


def test_a_plan_says_no_less_than_what_is_done(shelf: Shelf, store: Store, engine: Here) -> None:
    said = plan(design(), shelf)
    assert (said.texts, said.units) == (6, 12)
    assert "6 texts are few" in said.warnings[0]
    done, _ = found_by(store, shelf, engine, design())
    assert done.evaluated <= said.evaluations <= 3 * done.evaluated
