"""Decide what may be stored: secrets, and orders to the assistant."""
