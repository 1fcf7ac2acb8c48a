"""Studies: items, votes, people, their provider ids, tasks and answers."""

import sqlalchemy as sa
from alembic import op

from espalier.store.base import Moment

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _study() -> sa.Column[str]:
    return sa.Column("study", sa.String(32), sa.ForeignKey("studies.id", ondelete="CASCADE"), nullable=False)


def _item() -> sa.Column[str]:
    return sa.Column("item", sa.String(32), sa.ForeignKey("study_items.id", ondelete="CASCADE"), nullable=False)


def _person(primary_key: bool = False) -> sa.Column[int]:
    owner = sa.ForeignKey("study_people.id", ondelete="CASCADE")
    return sa.Column("person", sa.Integer(), owner, nullable=False, primary_key=primary_key, autoincrement=False)


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("design", sa.JSON(), nullable=False),
        sa.Column("dataset", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("classes", sa.JSON(), nullable=False),
        sa.Column("preparation", sa.JSON(), nullable=False),
        sa.Column("rehearsal_key", sa.String(64), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("published", Moment()),
        sa.Column("closed", Moment()),
    )
    op.create_table(
        "study_items",
        sa.Column("id", sa.String(32), primary_key=True),
        _study(),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sentence", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
    )
    op.create_index("ix_study_items_study", "study_items", ["study"])
    op.create_table(
        "study_slots",
        sa.Column("id", sa.Integer(), primary_key=True),
        _study(),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        _item(),
        sa.Column("sentence", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.UniqueConstraint("study", "simulated", "item", "number"),
    )
    op.create_index("ix_study_slots_item", "study_slots", ["item"])
    op.create_table(
        "study_people",
        sa.Column("id", sa.Integer(), primary_key=True),
        _study(),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("practised", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer()),
        sa.Column("receipt", sa.String(32), nullable=False),
        sa.Column("joined", Moment(), nullable=False),
        sa.Column("seen", Moment(), nullable=False),
        sa.Column("finished", Moment()),
        sa.Column("excluded", sa.Text()),
        sa.UniqueConstraint("study", "simulated", "number"),
    )
    op.create_table(
        "study_identities",
        _person(primary_key=True),
        _study(),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.UniqueConstraint("study", "source", "name"),
    )
    op.create_table(
        "study_tokens",
        sa.Column("digest", sa.String(64), primary_key=True),
        _person(),
        sa.Column("created", Moment(), nullable=False),
    )
    op.create_index("ix_study_tokens_person", "study_tokens", ["person"])
    op.create_table(
        "study_tasks",
        sa.Column("id", sa.String(32), primary_key=True),
        _study(),
        _person(),
        _item(),
        sa.Column("sentence", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), sa.ForeignKey("study_slots.id", ondelete="CASCADE")),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.Column("reclaimed", sa.Boolean(), nullable=False),
        sa.Column("answered", Moment()),
        sa.Column("milliseconds", sa.Integer()),
        sa.UniqueConstraint("slot"),
        sa.UniqueConstraint("person", "sentence"),
    )
    op.create_index("ix_study_tasks_study", "study_tasks", ["study"])
    op.create_index("ix_study_tasks_item", "study_tasks", ["item"])
    op.create_table(
        "study_answers",
        sa.Column("task", sa.String(32), sa.ForeignKey("study_tasks.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("condition", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(200), nullable=False),
    )


def downgrade() -> None:
    tables = ("answers", "tasks", "tokens", "identities", "people", "slots", "items")
    for table in (*(f"study_{each}" for each in tables), "studies"):
        op.drop_table(table)
