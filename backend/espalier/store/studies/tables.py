"""Studies, their items, the votes that are wanted, the people who come, and what they answer."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from espalier.store.base import Base, Moment

STUDY = "studies.id"


class StudyRow(Base):
    """`turn` is written first by every transaction that hands out tasks, so that these come one after the other.
    `owner` is the client that created it; none where no keys were asked for."""

    __tablename__ = "studies"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    status: Mapped[str] = mapped_column(String(16))
    design: Mapped[dict[str, Any]] = mapped_column(JSON)
    dataset: Mapped[list[Any]] = mapped_column(JSON, deferred=True)
    seed: Mapped[int] = mapped_column(BigInteger)
    classes: Mapped[list[str]] = mapped_column(JSON)
    preparation: Mapped[dict[str, Any]] = mapped_column(JSON)
    rehearsal_key: Mapped[str] = mapped_column(String(64))
    owner: Mapped[str | None] = mapped_column(String(200))
    turn: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime] = mapped_column(Moment)
    published: Mapped[datetime | None] = mapped_column(Moment)
    closed: Mapped[datetime | None] = mapped_column(Moment)


class ItemRow(Base):
    """A text with everything that may be shown of it. `sentence` is the same for items that share a text."""

    __tablename__ = "study_items"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey(STUDY, ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    number: Mapped[int]
    sentence: Mapped[int]
    content: Mapped[dict[str, Any]] = mapped_column(JSON)


class SlotRow(Base):
    """A vote that is wanted. Rehearsals have their own."""

    __tablename__ = "study_slots"

    id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey(STUDY, ondelete="CASCADE"))
    simulated: Mapped[bool]
    item: Mapped[str] = mapped_column(ForeignKey(ItemRow.id, ondelete="CASCADE"))
    sentence: Mapped[int]
    number: Mapped[int]
    shown: Mapped[list[int]] = mapped_column(JSON)

    __table_args__ = (UniqueConstraint("study", "simulated", "item", "number"), Index(None, "item"))


class PersonRow(Base):
    """A participant, by number of arrival. Nothing here says who it is."""

    __tablename__ = "study_people"

    id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey(STUDY, ondelete="CASCADE"))
    simulated: Mapped[bool]
    number: Mapped[int]
    stage: Mapped[str] = mapped_column(String(16))
    practised: Mapped[int] = mapped_column(default=0)
    wanted: Mapped[int | None]
    receipt: Mapped[str] = mapped_column(String(32))
    joined: Mapped[datetime] = mapped_column(Moment)
    seen: Mapped[datetime] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment)
    excluded: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (UniqueConstraint("study", "simulated", "number"),)


class IdentityRow(Base):
    """Who a participant is to the provider. The only place where that stands."""

    __tablename__ = "study_identities"

    person: Mapped[int] = mapped_column(ForeignKey(PersonRow.id, ondelete="CASCADE"), primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey(STUDY, ondelete="CASCADE"))
    source: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(200))
    details: Mapped[dict[str, str]] = mapped_column(JSON)

    __table_args__ = (UniqueConstraint("study", "source", "name"),)


class TokenRow(Base):
    """A browser that speaks for a participant: only the hash of its token."""

    __tablename__ = "study_tokens"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    person: Mapped[int] = mapped_column(ForeignKey(PersonRow.id, ondelete="CASCADE"), index=True)
    created: Mapped[datetime] = mapped_column(Moment)


class DoubtRow(Base):
    """What speaks against somebody being who they say, and how often. `person` is 0 for those who were not let in."""

    __tablename__ = "study_doubts"

    study: Mapped[str] = mapped_column(ForeignKey(STUDY, ondelete="CASCADE"), primary_key=True)
    person: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reason: Mapped[str] = mapped_column(String(32), primary_key=True)
    times: Mapped[int]
    last: Mapped[datetime] = mapped_column(Moment)


class TaskRow(Base):
    """One screen of one person. A slot has one holder, and a person meets a text once: the database sees to it.

    `slot` is empty for attention checks, for tasks that were reclaimed (`reclaimed`), and for answers that came after
    the slot had been given to somebody else.
    """

    __tablename__ = "study_tasks"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey(STUDY, ondelete="CASCADE"), index=True)
    person: Mapped[int] = mapped_column(ForeignKey(PersonRow.id, ondelete="CASCADE"))
    item: Mapped[str] = mapped_column(ForeignKey(ItemRow.id, ondelete="CASCADE"), index=True)
    sentence: Mapped[int]
    slot: Mapped[int | None] = mapped_column(ForeignKey(SlotRow.id, ondelete="CASCADE"), unique=True)
    place: Mapped[int]
    shown: Mapped[list[int]] = mapped_column(JSON)
    reclaimed: Mapped[bool] = mapped_column(default=False)
    answered: Mapped[datetime | None] = mapped_column(Moment)
    milliseconds: Mapped[int | None]

    __table_args__ = (UniqueConstraint("person", "sentence"),)


class AnswerRow(Base):
    """One judgement: the raw row from which everything else is computed."""

    __tablename__ = "study_answers"

    task: Mapped[str] = mapped_column(ForeignKey(TaskRow.id, ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    condition: Mapped[int]
    answer: Mapped[str] = mapped_column(String(200))
