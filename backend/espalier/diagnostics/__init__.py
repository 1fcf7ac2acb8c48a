"""What LS-Tree's scores say of a model over many texts (Chen & Jordan, 2019, section 5).

Pure functions of scored texts: nothing here asks a model. How linear a model is (`linearity`, `depth`), what it makes
of words of contrast (`adversatives`, `meanings`), and whether it knows its training texts too well (`overfitting`).
"""
