"""How the interface feels: frames a second while one points and types, seconds from the click to the pictures."""
