"""Studies at rest.

- `tables`: what is kept. Provider ids are in a table of their own; every score comes from `study_answers`.
- `owner`: queries of a study's owner.
- `people`: coming in, reserving tasks, answering; each one transaction.
"""
