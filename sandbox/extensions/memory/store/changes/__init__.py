"""The log of changes: read it, and take changes back."""
