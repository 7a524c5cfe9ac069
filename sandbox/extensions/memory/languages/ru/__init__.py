"""How ru speaks."""
