"""Long texts, level by level: the game between the parts of what is open, and how much work a level is worth."""
