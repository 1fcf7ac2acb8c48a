"""The Lab: whole datasets explained in several ways and measured, with intervals and tests.

- `design`: what a run is, and what it will cost, said before it begins; `run_design` is what runs of all kinds have.
- `runner`: keeps unfinished runs going, through the engine and behind everybody's questions; `work` is what it has to
  know of a run, `kinds` which kinds there are.
- `runs`: whose runs of a kind there are.
- `results`: everything that is shown, computed from rows (`matrix`, of which `looks` keeps those that were looked at
  last); `paragraph` says it in words, `export` gives it away.
- `diagnosis`: runs that find out about models instead of explanations.
- `gallery`: finished runs that ship with the project.
"""
