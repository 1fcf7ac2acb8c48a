"""MAHE's diagnostics over many texts: how well levels fit, which interactions are free of their context, and edits.

The plans on one text's game are a measure: `measure.interactions`.

- `places`: where words stand in a text, in order, with any gap; random pairs that are as frequent.
- `asking`: from a text to its game, and a plan's answer.
- `fit`: the errors of the levels over texts (Table 3).
- `context_free`: the sign of one interaction over all texts that have it (section 4.2).
- `editing`: turn an interaction round in the model, and see what became of it elsewhere (section 5.3).
- `synthetic`: functions whose interaction is known (Table 2), and whether it is found (Figure 3b).
- `synthetic_fit`: how well it is fitted where it is told (Figure 3a), by `surfaces`, on `base_models`; `figure` draws
  it, and `shipped` has what was measured for this project.
"""
