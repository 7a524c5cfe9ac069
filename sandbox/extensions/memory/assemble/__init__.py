"""Recollections to a context block: gather, budget, render."""
