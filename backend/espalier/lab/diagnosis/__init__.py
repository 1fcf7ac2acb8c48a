"""Models diagnosed over whole datasets in the background: runs of the Lab like any other, of another kind.

- `design`: what is diagnosed, on which texts, and what it will cost; `work`: what the runner asks about each text.
- `results`: means with intervals, computed from rows; `export` gives them away.
- `service`: whose diagnoses there are, and what they show.
"""
