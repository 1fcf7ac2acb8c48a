"""MAHE: interactions found by small networks, added one by one to a linear explanation (Tsang et al., 2019)."""
