"""How many evaluations a job was expected to take when it was accepted: for limits that all servers share.

All of it is added: a server of the version before can go on beside.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("estimate", sa.Integer()))


def downgrade() -> None:
    op.drop_column("jobs", "estimate")
