"""Erasing, which nothing undoes."""
