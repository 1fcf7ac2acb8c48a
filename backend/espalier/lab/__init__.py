"""The Lab: whole datasets explained in several ways and measured, with intervals and tests.

- `design`: what a run is, and what it will cost, said before it begins.
- `runner`: keeps unfinished runs going, through the engine and behind everybody's questions.
- `results`: everything that is shown, computed from rows (`matrix`, of which `looks` keeps those that were looked at
  last); `paragraph` says it in words, `export` gives it away.
- `gallery`: finished runs that ship with the project.
"""
