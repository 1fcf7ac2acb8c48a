"""Measures of explanations, as plans over the same games: they yield coalitions, so that whoever drives them answers
from what the methods have evaluated already. Nothing here touches a model, a clock or the store.

- `curves`: the words removed or kept, most important first: AOPC, log-odds, sufficiency.
- `bounds`: the best and the worst order there is, for the normalised AOPC and for the table's last line.
- `phrases`: the top phrase taken out, and taken apart.
- `agreement`: how alike two rankings are.
- `interactions`: the errors of MAHE's levels, and the term of words that somebody names.
- `registry`: the measures by name; the operator (what happens to a removed word) is part of the name.
- `request`, `diagnosis`, `units`: what may be asked about one text on one model, and what is answered.
"""
