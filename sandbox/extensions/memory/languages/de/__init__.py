"""How de speaks."""
