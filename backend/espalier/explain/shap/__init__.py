"""SHAP: Shapley values of the words, by every way to get them from coalitions."""
