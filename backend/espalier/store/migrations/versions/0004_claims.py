"""Whose a job is and until when; claims on other work; texts of batches by index; indexes for forgetting.

All of it is added: a server of the version before can go on beside.
"""

import sqlalchemy as sa
from alembic import op

from espalier.store.base import Moment

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain ALTER TABLE: SQLite can add such columns in place, and a copy of the table would lock everybody out.
    op.add_column("jobs", sa.Column("owner", sa.String(64)))
    op.add_column("jobs", sa.Column("claimed_until", Moment()))
    op.add_column("jobs", sa.Column("watched_until", Moment()))
    op.add_column("jobs", sa.Column("cancel_wished", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("jobs", sa.Column("attempt", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_jobs_finished", "jobs", ["finished"])
    op.create_table(
        "claims",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("until", Moment(), nullable=False),
    )
    op.create_table(
        "batch_texts",
        sa.Column("batch", sa.String(32), sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("index", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.add_column("batches", sa.Column("bytes", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("ix_batches_client_status", "batches", ["client", "status"])
    op.create_index("ix_batches_finished", "batches", ["finished"])


def downgrade() -> None:
    op.drop_index("ix_batches_finished", "batches")
    op.drop_index("ix_batches_client_status", "batches")
    op.drop_column("batches", "bytes")
    op.drop_table("batch_texts")
    op.drop_table("claims")
    op.drop_index("ix_jobs_finished", "jobs")
    for column in ("attempt", "cancel_wished", "watched_until", "claimed_until", "owner"):
        op.drop_column("jobs", column)
