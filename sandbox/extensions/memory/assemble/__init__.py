"""Recollections to context: budget, render."""
