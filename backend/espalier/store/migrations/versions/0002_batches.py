"""Batches of texts."""

import sqlalchemy as sa
from alembic import op

from espalier.store.base import Moment

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "batches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("client", sa.String(200), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("texts", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("finished", Moment()),
    )
    op.create_index("ix_batches_status", "batches", ["status"])


def downgrade() -> None:
    op.drop_table("batches")
