"""Studies made by hand, and people who play through them, for the tests of this folder."""

from random import Random

from espalier.datasets.forms import Row, Rows
from espalier.store import Store
from espalier.studies.design import StudyDesign
from espalier.studies.desk import Desk
from espalier.studies.items import Feature, ItemContent, Shows
from espalier.studies.office import Office
from espalier.studies.preparation import make_ready
from espalier.studies.records import owner
from espalier.studies.session import Answer, Join, Joined, SessionDocument, TaskDocument, WordShown

CLASSES = ("negative", "positive")


def content(design: StudyDesign, sentence: int) -> ItemContent:
    """A text of two words; each condition shows one of them."""
    text = f"fine{sentence} dull{sentence}"
    middle = text.index(" ")
    words = (
        WordShown(text=text[:middle], start=0, end=middle),
        WordShown(text=text[middle + 1 :], start=middle + 1, end=len(text)),
    )
    shows = tuple(
        Shows(
            model=model,
            method=method,
            classes=CLASSES,
            prediction=CLASSES[sentence % 2],
            probability=0.9,
            top=Feature(words=(place % 2,), score=1),
            groups=(Feature(words=(0,), score=1), Feature(words=(1,), score=-1)),
        )
        for model in design.models
        for place, method in enumerate(design.methods)
    )
    return ItemContent(text=text, label="positive", words=words, shows=shows)


def published(store: Store, design: StudyDesign) -> str:
    """A study whose items are ready, open to people."""
    rows = Rows(rows=tuple(Row(text=f"fine{k} dull{k}") for k in range(1, design.items + 1)))
    office = Office(store)
    study = office.create(design.model_copy(update={"dataset": rows}), CLASSES).id
    with store.write() as session:
        row = owner.take_turn(session, study)
        make_ready(session, row, [(k, content(design, k)) for k in range(1, design.items + 1)])
    office.move(study, "publish")
    return study


def come(desk: Desk, study: str, name: str | None = None, **given: object) -> Joined:
    return desk.join(Join.model_validate({"study": study, "name": name} | given))


def begin(desk: Desk, study: str, name: str) -> tuple[str, SessionDocument]:
    """Come in and go on to the first task that counts."""
    joined = come(desk, study, name)
    assert joined.token is not None
    session = joined.session
    while session.stage in ("consent", "instructions"):
        session = desk.finish(joined.token, session.stage)
    while session.stage == "practice":
        assert session.task is not None
        session = desk.answer(joined.token, reply(session.task)).session
    return joined.token, session


def reply(task: TaskDocument, random: Random | None = None) -> Answer:
    """Some possible answer to every line; always the first without `random`."""
    values = [option.value for option in task.options]
    pick = random.choice if random else lambda possible: possible[0]
    asked = ["choice"] if task.protocol == "preference" else [line.letter for line in task.lines]
    return Answer(task=task.id, answers={each: pick(values) for each in asked}, milliseconds=4000)


def play(desk: Desk, study: str, name: str, random: Random | None = None) -> list[TaskDocument]:
    """Come in and answer everything; tells the screens that were seen."""
    token, session = begin(desk, study, name)
    seen = []
    while session.stage == "tasks":
        assert session.task is not None
        seen.append(session.task)
        session = desk.answer(token, reply(session.task, random)).session
    return seen
