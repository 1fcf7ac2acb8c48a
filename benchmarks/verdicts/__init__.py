"""The papers' claims, put to the test on the shipped models: `make verdicts` writes docs/verdicts.md.

- `claims`: what a paper says, with its numbers, as a comparison that the Lab's measures can decide.
- `ls_tree`: LS-Tree's claims, decided by the Lab's diagnostics.
- `thesis`: what the thesis says of language models, from SHAP values of next words.
- `mahe`: MAHE's claims: errors of levels, signs of interactions, edits.
- `judge`: from rows to held, did not hold, or undecided.
- `__main__`: runs what the claims need (resumable; hours are fine) and writes the page.
"""
