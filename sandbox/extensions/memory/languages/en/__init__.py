"""How en speaks."""
