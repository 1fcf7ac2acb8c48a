"""Where annotators come: in, through the stages, and out. Every answer is kept before anything else happens."""

from sqlalchemy.orm import Session

from espalier.problems import Problem
from espalier.store import Store
from espalier.store.base import now
from espalier.store.studies.tables import ItemRow, PersonRow, StudyRow, TaskRow
from espalier.studies.design import StudyDesign
from espalier.studies.items import ItemContent
from espalier.studies.providers import NOBODY_KNOWS, Identity, NameNeeded, Preview, Visitor, completion
from espalier.studies.reception import AlreadyHere as AlreadyHere
from espalier.studies.reception import Reception
from espalier.studies.records import doubts, owner, people, tasks
from espalier.studies.screens import expected, judged, options, screen
from espalier.studies.session import (
    Answer,
    Answered,
    Feedback,
    Join,
    Joined,
    Progress,
    SessionDocument,
    Stage,
    StudyShown,
    TaskDocument,
)
from espalier.studies.texts import example, texts

PRACTICE = "practice-"


class AlreadyTookPart(Problem):
    """MTurk: the worker has finished under another assignment."""

    code = "already-took-part"
    status = 409


class NotFinished(Problem):
    code = "not-finished"
    status = 409


class Desk:
    """Speaks with annotators. Nothing it says names a method, a model or another person."""

    def __init__(self, store: Store, reception: Reception | None = None) -> None:
        self._store = store
        self._reception = reception or Reception(store)

    def join(self, asked: Join, visitor: Visitor = NOBODY_KNOWS) -> Joined:
        """Let somebody in, or back in. The same person always gets the same participation."""
        self._reception.admit(asked, visitor)
        with self._store.read() as session:
            study = owner.find(session, asked.study)
            visit = _Visit(session, study)
            who = self._reception.receive(asked, study, visit.design.recruiting, visitor)
            if not isinstance(who, Identity):
                return Joined(token=None, session=visit.outside(who))
            known = people.known(session, study.id, who)
            if known is None and (closed := visit.closed_to(who.source == "simulated")) is not None:
                return Joined(token=None, session=visit.document(closed, who.source == "simulated"))
            back = None if known is None else (known.id, people.identity_of(session, known))
        doubt = None if back is None else self._reception.returns(asked, study.id, who, *back)
        with self._store.write() as session:
            entered = people.enter(session, asked.study, who)
            if doubt is not None:
                doubts.note(self._store, session, asked.study, doubt, entered.person.id)
            if (
                entered.person.finished is not None
                and entered.identity.details != who.details
                and who.source == "mturk"
            ):
                raise AlreadyTookPart("this person has taken part already: please return this assignment")
            token = people.give_token(session, entered.person)
        return Joined(token=token, session=self.session(token))

    def session(self, token: str) -> SessionDocument:
        """Where the person stands. Tasks that were reclaimed from them are replaced, if there are any left."""
        with self._store.read() as session:
            person = people.by_token(session, token)
            visit = _Visit(session, owner.find(session, person.study))
            held = tasks.tasks_of(session, person)
            if not _wants_tasks(person, held) or visit.shut(person.simulated) is not None:
                return visit.inside(person, held)
        with self._store.write() as session:
            person = tasks.reserve(session, person.study, person.id)
            held = tasks.tasks_of(session, person)
            _finish_if_done(person, held)
            return _Visit(session, owner.find(session, person.study)).inside(person, held)

    def finish(self, token: str, stage: str) -> SessionDocument:
        """A stage is done. Consent reserves the person's tasks."""
        with self._store.read() as session:
            person = people.by_token(session, token)
            shut = _Visit(session, owner.find(session, person.study)).shut(person.simulated)
        if person.stage == stage and shut is None:
            with self._store.write() as session:
                if stage == "consent":
                    who = tasks.reserve(session, person.study, person.id)
                    if who.wanted is not None:
                        who.stage = "instructions"
                else:
                    owner.take_turn(session, person.study)
                    who = session.get_one(PersonRow, person.id)
                    practice = owner.items(session, who.study, "practice")
                    who.stage = "practice" if practice and who.practised < len(practice) else "tasks"
                    who.seen = now()
        return self.session(token)

    def answer(self, token: str, given: Answer) -> Answered:
        """Keep an answer. The first one to a task counts, whatever comes after it."""
        with self._store.read() as session:
            person = people.by_token(session, token)
            study = owner.find(session, person.study)
            design = StudyDesign.model_validate(study.design)
            if given.task.startswith(PRACTICE):
                item, shown = _practice(session, study, given.task)
            else:
                task = session.get(TaskRow, given.task) if given.task.isalnum() else None
                if task is None or task.person != person.id:
                    raise tasks.UnknownTask(given.task)
                item, shown = session.get_one(ItemRow, task.item), tuple(task.shown)
            content = ItemContent.model_validate(item.content)
            rows = judged(design, content, shown, given.answers, tuple(study.classes))
        if item.kind == "practice":
            return self._practised(token, person, item, design, content, shown, given)
        with self._store.write() as session:
            saved = tasks.save_answer(session, person.id, given.task, rows, given.milliseconds)
            late = saved and session.get_one(TaskRow, given.task).reclaimed
            who = session.get_one(PersonRow, person.id)
            if not late:
                _finish_if_done(who, tasks.tasks_of(session, who))
        if late:
            with self._store.write() as session:
                tasks.take_back(session, study.id, given.task)
        return Answered(saved=saved, session=self.session(token))

    def complete(self, token: str) -> SessionDocument:
        found = self.session(token)
        if found.stage != "finished":
            raise NotFinished(f"not all tasks are answered: got {found.progress.done} of {found.progress.total}")
        return found

    def _practised(
        self,
        token: str,
        person: PersonRow,
        item: ItemRow,
        design: StudyDesign,
        content: ItemContent,
        shown: tuple[int, ...],
        given: Answer,
    ) -> Answered:
        right = expected(design, content, shown)
        with self._store.write() as session:
            owner.take_turn(session, person.study)
            who = session.get_one(PersonRow, person.id)
            saved = who.stage == "practice" and who.practised == item.number - 1
            if saved:
                who.practised, who.seen = item.number, now()
                if item.number >= len(owner.items(session, who.study, "practice")):
                    who.stage = "tasks"
        feedback = Feedback(task=given.task, correct=given.answers == right, expected=right, why=content.why)
        return Answered(saved=saved, session=self.session(token).model_copy(update={"feedback": feedback}))


class _Visit:
    """A study as one request sees it."""

    def __init__(self, session: Session, study: StudyRow) -> None:
        self._session = session
        self._study = study
        self._practice = owner.items(session, study.id, "practice")
        self.design = StudyDesign.model_validate(study.design)
        self._classes = tuple(study.classes)

    def shut(self, simulated: bool) -> Stage | None:
        """The stage of everybody who has not finished while the study is not open; None: it is."""
        status = self._study.status
        if status == "paused" and not simulated:
            return "paused"
        if status in ("preparing", "failed") or (status != "published" and not simulated):
            return "closed"
        return None

    def closed_to(self, simulated: bool) -> Stage | None:
        """The stage of a newcomer who cannot begin."""
        shut = self.shut(simulated)
        if shut is None and tasks.room(self._session, self._study, self.design, simulated) <= 0:
            return "full"
        return shut

    def outside(self, who: Preview | NameNeeded) -> SessionDocument:
        """For somebody who is nobody yet."""
        if isinstance(who, Preview):
            return self.document("preview", False, task=self._practice_screen(1))
        closed = self.closed_to(False)
        return self.document(closed or "name", False)

    def inside(self, person: PersonRow, held: list[TaskRow]) -> SessionDocument:
        progress = Progress(done=sum(task.answered is not None for task in held), total=len(held))
        if person.finished is not None:
            ending = completion(people.identity_of(self._session, person), self.design.recruiting, person.receipt)
            return self.document("finished", person.simulated, progress).model_copy(update={"completion": ending})
        closed = self.shut(person.simulated) if _votes(held) else self.closed_to(person.simulated)
        if closed is not None:
            return self.document(closed, person.simulated, progress)
        if person.stage == "practice":
            return self.document("practice", person.simulated, progress, self._practice_screen(person.practised + 1))
        if person.stage == "tasks":
            return self.document("tasks", person.simulated, progress, self._next(held))
        stage: Stage = "consent" if person.stage == "consent" else "instructions"
        return self.document(stage, person.simulated, progress)

    def document(
        self, stage: Stage, simulated: bool, progress: Progress | None = None, task: TaskDocument | None = None
    ) -> SessionDocument:
        shown = study_shown(self._study, self.design, len(self._practice), simulated)
        return SessionDocument(stage=stage, study=shown, progress=progress or Progress(done=0, total=0), task=task)

    def _practice_screen(self, number: int) -> TaskDocument | None:
        if not 1 <= number <= len(self._practice):
            return None
        return practice_screen(self.design, self._classes, self._practice[number - 1], len(self._practice))

    def _next(self, held: list[TaskRow]) -> TaskDocument | None:
        task = next((each for each in held if each.answered is None), None)
        if task is None:
            return None
        content = ItemContent.model_validate(self._session.get_one(ItemRow, task.item).content)
        return screen(
            self.design,
            self._classes,
            content,
            tuple(task.shown),
            id=task.id,
            kind="task",
            number=held.index(task) + 1,
            of=len(held),
        )


def study_shown(study: StudyRow, design: StudyDesign, practice: int, simulated: bool) -> StudyShown:
    """What people read of a study."""
    classes = tuple(study.classes)
    said = texts(design, classes)
    return StudyShown(
        id=study.id,
        title=design.title,
        protocol=design.protocol,
        consent=said.consent,
        instructions=said.instructions,
        thanks=said.thanks,
        example=example(design, classes),
        options=options(design, classes),
        practice=practice,
        simulated=simulated,
    )


def practice_screen(design: StudyDesign, classes: tuple[str, ...], item: ItemRow, of: int) -> TaskDocument:
    content = ItemContent.model_validate(item.content)
    shown = practice_order(content)
    name = f"{PRACTICE}{item.number}"
    return screen(design, classes, content, shown, id=name, kind="practice", number=item.number, of=of)


def practice_order(content: ItemContent) -> tuple[int, ...]:
    """Practice is the same for everybody: lines as they are written, and of two explanations the better one second."""
    order = tuple(range(len(content.shows)))
    return order if len(content.expected) == len(content.shows) else order[::-1]


def _practice(session: Session, study: StudyRow, task: str) -> tuple[ItemRow, tuple[int, ...]]:
    for item in owner.items(session, study.id, "practice"):
        if task == f"{PRACTICE}{item.number}":
            return item, practice_order(ItemContent.model_validate(item.content))
    raise tasks.UnknownTask(task)


def _votes(held: list[TaskRow]) -> int:
    """How many tasks count for the study. Attention checks have sentences below zero."""
    return sum(task.sentence > 0 for task in held)


def _wants_tasks(person: PersonRow, held: list[TaskRow]) -> bool:
    """Whether tasks were reclaimed from a person who is past the consent, or the last one is done."""
    if person.finished is not None or person.stage == "consent":
        return False
    return person.wanted is None or _votes(held) < person.wanted or all(task.answered is not None for task in held)


def _finish_if_done(person: PersonRow, held: list[TaskRow]) -> None:
    """A person has finished when they have answered something and hold nothing more."""
    if person.finished is None and _votes(held) and all(task.answered is not None for task in held):
        person.stage, person.finished = "finished", now()
