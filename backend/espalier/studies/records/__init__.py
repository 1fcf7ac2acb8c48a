"""What a study has in the store, in its own terms.

- `owner`: queries of a study's owner.
- `people`: coming in, reserving tasks, answering; each one transaction.
- `doubts`: what speaks against people being who they say.
"""
