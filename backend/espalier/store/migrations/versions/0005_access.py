"""Owners of studies, sign-ins of browsers, doubts about people, and what the service signs with."""

import sqlalchemy as sa
from alembic import op

from espalier.store.base import Moment

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("studies", sa.Column("owner", sa.String(200)))
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "sign_ins",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(32), sa.ForeignKey("access_keys.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", Moment(), nullable=False),
    )
    op.create_index("ix_sign_ins_created", "sign_ins", ["created"])
    op.create_table(
        "study_doubts",
        sa.Column("study", sa.String(32), sa.ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("reason", sa.String(32), primary_key=True),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("last", Moment(), nullable=False),
    )


def downgrade() -> None:
    for table in ("study_doubts", "sign_ins", "secrets"):
        op.drop_table(table)
    with op.batch_alter_table("studies") as studies:
        studies.drop_column("owner")
