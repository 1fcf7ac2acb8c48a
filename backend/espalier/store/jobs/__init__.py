"""Jobs at rest: the tables, what is asked and written of a job (`Jobs`), and whose it is (`Claims`)."""

from espalier.store.jobs.claims import Claims
from espalier.store.jobs.queries import Jobs
from espalier.store.jobs.tables import EventRow, IdempotencyRow, JobRow, ResultRow

__all__ = ["Claims", "EventRow", "IdempotencyRow", "JobRow", "Jobs", "ResultRow"]
