"""What an explanation says in words, how certain that is, and where it comes from. No terminal, no picture."""
