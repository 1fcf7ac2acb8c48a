"""The papers' claims, put to the test on the shipped models: `make verdicts` writes docs/verdicts.md.

- `claims`: what a claim is. `rankings` has HEDGE's, ASIV's and Edin's, `ls_tree` and `epochs` LS-Tree's, `mahe` MAHE's,
  `thesis` the thesis', each with what turns measurements into evidence.
- `contrast`, `interactions`: the measurements of words of contrast and of MAHE's words; `corpus` makes texts for these.
- `asked`, `parts`: what is measured on which texts, in parts; `kept` keeps it, `evidence` is what a part leaves.
- `judge`: from evidence to held, did not hold, or undecided; `page` says it, `against_us` what speaks against it.
- `__main__`: runs the parts (resumable; hours are fine) and writes the page.
"""
