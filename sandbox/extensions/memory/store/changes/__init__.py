"""The log of changes: read it, and undo changes."""
