"""Erasing; it cannot be undone."""
