"""From raw rows to numbers. Nothing here reads a database or a clock."""
