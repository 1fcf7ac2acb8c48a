"""Models diagnosed over whole datasets in the background: runs of the Lab like any other, of another kind.

- `design`: what is diagnosed, on which texts; `plan`: what it will cost; `work`: what the runner asks about each text.
- `results`: means with intervals, computed from rows; `paragraph` says them, `sentences` shows what they are of,
  `export` gives them away.
- `service`: whose diagnoses there are, and what they show.
"""
