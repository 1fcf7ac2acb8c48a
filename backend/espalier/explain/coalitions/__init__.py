"""Indices of a game from its coalitions: the one estimator that the graph of pairs and SHAP share."""
