"""Runs of the Lab, their texts and their rows."""

import sqlalchemy as sa
from alembic import op

from espalier.store.base import Moment

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "evaluations",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("client", sa.String(200), nullable=False),
        sa.Column("design", sa.Text(), nullable=False),
        sa.Column("texts", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.BigInteger(), nullable=False),
        sa.Column("evaluated", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("problem", sa.Text()),
        sa.Column("results", sa.Text()),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("finished", Moment()),
    )
    op.create_index("ix_evaluations_status", "evaluations", ["status"])
    op.create_index("ix_evaluations_client_status", "evaluations", ["client", "status"])
    op.create_table(
        "evaluation_texts",
        sa.Column("evaluation", sa.String(32), sa.ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("index", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("label", sa.Text()),
    )
    op.create_table(
        "evaluation_rows",
        sa.Column("evaluation", sa.String(32), sa.ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("text", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("model", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("condition", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
    )


def downgrade() -> None:
    for table in ("evaluation_rows", "evaluation_texts", "evaluations"):
        op.drop_table(table)
