"""Thin translations of `Memory`: tools for assistants, commands after a slash, and guidance for both."""
