"""Session to graph: read what a conversation taught, resolve it against known memories, and apply it at once."""
