"""Pictures of explanations, for the terminal and as SVG. Everything here is a pure function of an Explanation."""
