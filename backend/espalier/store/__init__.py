"""What outlives a process: jobs, their events and results, access keys. SQLite by default, PostgreSQL by one setting.

- `base`: the declarative base, the column types all tables share, and the naming of constraints.
- `database`: opens the database, migrates it, and gives sessions: `with store.read() as session`, `store.write()`.
- One file or folder for each group of tables, with its queries beside it (`jobs`, `batches`, `keys`); `claims` says
  which of several servers does a piece of work.
- `migrations/versions`: one file for each change, in a row; `tests/store` checks that they give what the tables say.
"""

from espalier.store.base import Base
from espalier.store.database import Store, StoreUnavailable, open_store

__all__ = ["Base", "Store", "StoreUnavailable", "open_store"]
