"""Where a study's owner comes: creates it, watches it, opens and closes it, and takes the results home."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy.orm import Session

from espalier.access import EVERYONE, Caller
from espalier.datasets.rows import kept, rows_of
from espalier.problems import BadParameter
from espalier.store import Store
from espalier.store.base import now
from espalier.store.studies.tables import StudyRow
from espalier.studies.checks import attention_items, practice_items
from espalier.studies.design import StudyDesign
from espalier.studies.desk import practice_screen, study_shown
from espalier.studies.documents import (
    ItemList,
    LinksWanted,
    PersonLink,
    PersonLinks,
    PersonList,
    Preparation,
    Preview,
    StudyChange,
    StudyDocument,
    StudyList,
)
from espalier.studies.items import ItemContent
from espalier.studies.papers import doubt_documents, item_document, person_document, study_document, study_line
from espalier.studies.proofs import Proofs
from espalier.studies.providers import link_for
from espalier.studies.reception import Reception
from espalier.studies.records import doubts, owner
from espalier.studies.records.owner import WrongStatus
from espalier.studies.results import ItemResult, ResultsDocument, Rule
from espalier.studies.screens import screen
from espalier.studies.soundness import check_design, check_recruiting
from espalier.studies.statistics.judgements import Judgement, count

MOVES = {
    "publish": ({"ready", "paused", "published"}, "published"),
    "pause": ({"published", "paused"}, "paused"),
    "close": ({"ready", "published", "paused", "closed"}, "closed"),
    "prepare": ({"failed", "preparing"}, "preparing"),
}
"""From which status each call leads where."""


class Office:
    """Speaks with owners, each of whom sees their own studies; those of others are as unknown as if they were not."""

    def __init__(self, store: Store, base: str = "", caller: Caller = EVERYONE, proofs: Proofs | None = None) -> None:
        self._store = store
        self._base = base
        self._caller = caller
        self._proofs = proofs or Reception(store).proofs

    def create(self, design: StudyDesign, classes: tuple[str, ...]) -> StudyDocument:
        """Write the study down; preparing it comes later. Everything that can be refused is refused here."""
        rows = rows_of(design.dataset)
        check_design(design, rows, classes)
        attention_items(design, classes)
        practice_items(design, classes)
        preparation = Preparation(
            candidates=len(rows), examined=0, kept=0, wanted=design.items, removed={}, explanations=0
        )
        with self._store.write() as session:
            dataset = [row.model_dump(mode="json") for row in rows]
            design = design.model_copy(update={"dataset": kept(design.dataset, len(rows))})
            study = owner.create(
                session, design, dataset, classes, preparation.model_dump(mode="json"), self._caller.owner
            )
            session.flush()
            return study_document(session, study, self._base)

    def study(self, study: str) -> StudyDocument:
        with self._store.read() as session:
            return study_document(session, self._find(session, study), self._base)

    def studies(self) -> StudyList:
        with self._store.read() as session:
            rows = [row for row in owner.all_studies(session) if self._caller.sees(row.owner)]
            return StudyList(studies=[study_line(session, row) for row in rows])

    def move(self, study: str, how: str) -> StudyDocument:
        """Publish, pause, close, or prepare again. Doing it twice changes nothing."""
        possible, status = MOVES[how]
        with self._store.write() as session:
            row = self._turn(session, study)
            if row.status not in possible:
                raise WrongStatus(
                    f"{how} is not possible now: got status {row.status}, possible are {', '.join(sorted(possible))}"
                )
            if how == "publish" and not owner.items(session, study, "task"):
                raise WrongStatus("a study without items cannot be published: see its preparation")
            if how == "publish" and row.published is None:
                row.published = now()
            if how == "close" and row.closed is None:
                row.closed = now()
            row.status = status
            return study_document(session, row, self._base)

    def change(self, study: str, wanted: StudyChange) -> StudyDocument:
        with self._store.write() as session:
            row = self._turn(session, study)
            design = StudyDesign.model_validate(row.design)
            if row.published is not None and (wanted.title is not None or wanted.texts is not None):
                raise WrongStatus(
                    "people may have read these words already: got a published study, possible is recruiting"
                )
            given = {
                name: getattr(wanted, name) for name in wanted.model_fields_set if getattr(wanted, name) is not None
            }
            changed = StudyDesign.model_validate(design.model_copy(update=given).model_dump())
            check_recruiting(changed)
            row.design = changed.model_dump(mode="json")
            return study_document(session, row, self._base)

    def delete(self, study: str) -> None:
        with self._store.write() as session:
            self._find(session, study)
            owner.forget(session, study)
        self._store.scrub()

    def forget_rehearsals(self, study: str) -> None:
        with self._store.write() as session:
            self._find(session, study)
            owner.forget_rehearsals(session, study)

    def items(self, study: str) -> ItemList:
        with self._store.read() as session:
            self._find(session, study)
            votes = owner.votes_by_item(session, study)
            return ItemList(items=[item_document(row, votes.get(row.id, 0)) for row in owner.items(session, study)])

    def preview(self, study: str) -> Preview:
        with self._store.read() as session:
            row = self._find(session, study)
            design, classes = StudyDesign.model_validate(row.design), tuple(row.classes)
            practice = owner.items(session, study, "practice")
            tasks = owner.items(session, study, "task") + owner.items(session, study, "attention")
            contents = [ItemContent.model_validate(item.content) for item in tasks]
            lines = 1 if design.protocol == "coherence" and design.screen == "apart" else None
            return Preview(
                study=study_shown(row, design, len(practice), False),
                practice=[practice_screen(design, classes, item, len(practice)) for item in practice],
                tasks=[
                    screen(
                        design,
                        classes,
                        content,
                        tuple(range(len(content.shows)))[:lines],
                        id=secrets.token_hex(12),
                        kind="task",
                        number=number,
                        of=len(contents),
                    )
                    for number, content in enumerate(contents, start=1)
                ],
            )

    def people(self, study: str) -> PersonList:
        with self._store.read() as session:
            row = self._find(session, study)
            rows = owner.judgements(session, row, StudyDesign.model_validate(row.design))
            # Once through everything, not once for each person: there may be thousands.
            mine: dict[tuple[bool, int], list[Judgement]] = defaultdict(list)
            for each in rows:
                mine[each.simulated, each.person].append(each)
            held = Counter(task.person for task in owner.tasks(session, study) if task.answered or not task.reclaimed)
            doubted = doubts.of_study(session, study)
            documents = [
                person_document(
                    person, mine[person.simulated, person.number], held[person.id], doubt_documents(doubted[person.id])
                )
                for person in owner.people(session, study)
            ]
            return PersonList(people=documents, refused=doubt_documents(doubted[doubts.NOBODY]))

    def links(self, study: str, wanted: LinksWanted) -> PersonLinks:
        """A link for each person, which nobody else can make."""
        with self._store.read() as session:
            self._find(session, study)
        until = now().replace(microsecond=0) + timedelta(days=wanted.days)
        ends = int(until.timestamp())
        made = [
            PersonLink(name=name, address=link_for(self._base, study, name, ends, self._proofs))
            for name in wanted.names
        ]
        return PersonLinks(links=made, until=until)

    def exclude(self, study: str, number: int, excluded: bool, reason: str, simulated: bool = False) -> PersonList:
        """Leave a person's answers out, or take them in again. Nothing is deleted."""
        with self._store.write() as session:
            self._turn(session, study)
            found = [p for p in owner.people(session, study) if (p.simulated, p.number) == (simulated, number)]
            if not found:
                raise BadParameter(f"no such person: got {number}, possible are those who have come")
            found[0].excluded = (reason or "left out by the owner") if excluded else None
        return self.people(study)

    def rows(self, study: str) -> tuple[StudyDesign, list[Judgement]]:
        with self._store.read() as session:
            row = self._find(session, study)
            design = StudyDesign.model_validate(row.design)
            return design, owner.judgements(session, row, design)

    def identities(self, study: str) -> dict[tuple[bool, int], str]:
        """Provider and id of each person, for exports that ask for it."""
        with self._store.read() as session:
            self._find(session, study)
            found = owner.identities(session, study)
            return {who: f"{identity.source}:{identity.name}" for who, identity in found.items()}

    def client_of(self, study: str) -> str:
        """Whose work is done for a study: its owner's, and the caller's where it is nobody's."""
        with self._store.read() as session:
            return self._find(session, study).owner or self._caller.client

    def results(self, study: str, simulated: bool = False, keep: Iterable[Rule] = ()) -> ResultsDocument:
        from espalier.studies.statistics.summary import summarise  # statsmodels takes seconds to import

        design, seed, rows, left_out = self._answers(study, simulated)
        return summarise(study, design, seed, rows, simulated=simulated, excluded=left_out, keep=keep)

    def votes(self, study: str, simulated: bool = False, keep: Iterable[Rule] = ()) -> list[ItemResult]:
        """The items of the results without their tests."""
        from espalier.studies.statistics.summary import item_results

        design, _, rows, left_out = self._answers(study, simulated)
        fastest = design.minimum_milliseconds
        counted = count(rows, simulated=simulated, excluded=left_out, minimum_milliseconds=fastest, keep=keep)
        return item_results(counted.judgements, design.protocol == "coherence")

    def _answers(self, study: str, simulated: bool) -> tuple[StudyDesign, int, list[Judgement], list[int]]:
        """Design and seed of a study, its raw rows, and whom the owner left out."""
        with self._store.read() as session:
            row = self._find(session, study)
            design = StudyDesign.model_validate(row.design)
            rows = owner.judgements(session, row, design)
            left_out = [p.number for p in owner.people(session, study) if p.excluded and p.simulated == simulated]
            return design, row.seed, rows, left_out

    def _find(self, session: Session, study: str) -> StudyRow:
        row = owner.find(session, study)
        if not self._caller.sees(row.owner):
            raise owner.UnknownStudy(study)
        return row

    def _turn(self, session: Session, study: str) -> StudyRow:
        self._find(session, study)
        return owner.take_turn(session, study)
