"""The tables of studies. Provider ids are in a table of their own; every score comes from `study_answers`."""
