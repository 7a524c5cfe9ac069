"""Memories: their versions, their claims, the edges between them, and limits of their number."""
