"""The thesis "Explanation of neural language models using SHAP" (section 5), tested again on passages of WikiText."""
