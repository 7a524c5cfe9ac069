"""Event to episode: what is said becomes a memory."""
