"""Memories: their versions, what they claim, what joins them, and how many there may be."""
