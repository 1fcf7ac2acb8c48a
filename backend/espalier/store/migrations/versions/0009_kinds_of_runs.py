"""Runs of the Lab that diagnose models, beside those that measure explanations.

All of it is added: a server of the version before can go on beside, but not with diagnoses, which it takes for runs
that it cannot read. Begin the first one when all servers are of this version.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("evaluations", sa.Column("kind", sa.String(16), server_default="evaluation", nullable=False))


def downgrade() -> None:
    op.drop_column("evaluations", "kind")
