"""Constituency trees: parsed with benepar and spaCy, or given by the user, as spans over a passage's words."""
