"""The log of changes: read, and taken back."""
