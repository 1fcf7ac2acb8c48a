"""Explanations that were brought to a run, with the text that they are of.

All of it is added: a server of the version before can go on beside.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("evaluation_texts", sa.Column("brought", sa.Text()))


def downgrade() -> None:
    op.drop_column("evaluation_texts", "brought")
