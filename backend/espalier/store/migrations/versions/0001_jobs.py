"""Jobs, events, results, idempotency keys and access keys."""

import sqlalchemy as sa
from alembic import op

from espalier.store.base import Moment

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("content", sa.String(64), primary_key=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("created", Moment(), nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("client", sa.String(200), nullable=False),
        sa.Column("lease", sa.Double()),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("started", Moment()),
        sa.Column("finished", Moment()),
        sa.Column("evaluated", sa.Integer(), nullable=False),
        sa.Column("expected", sa.Integer()),
        sa.Column("problem", sa.Text()),
        sa.Column("result", sa.String(64), sa.ForeignKey("results.content")),
    )
    op.create_index("ix_jobs_status_created", "jobs", ["status", "created"])
    op.create_index("ix_jobs_result", "jobs", ["result"])
    op.create_table(
        "events",
        sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("client", sa.String(200), primary_key=True),
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("ix_idempotency_keys_job", "idempotency_keys", ["job"])
    op.create_table(
        "access_keys",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("scope", sa.String(16), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("revoked", Moment()),
    )


def downgrade() -> None:
    for table in ("access_keys", "idempotency_keys", "events", "jobs", "results"):
        op.drop_table(table)
