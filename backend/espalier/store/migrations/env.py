"""How Alembic runs: inside the transaction of whoever opened the store."""

from alembic import context

from espalier.store.base import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
