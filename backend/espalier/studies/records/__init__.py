"""What a study has in the store, in its own terms.

- `owner`: queries of a study's owner.
- `people`: coming in, and being known again.
- `tasks`: reserving tasks and answering them; each part of one transaction.
- `doubts`: what speaks against people being who they say.
"""
