"""Session -> graph: what a conversation taught is read, resolved against what is known, and applied at once."""
