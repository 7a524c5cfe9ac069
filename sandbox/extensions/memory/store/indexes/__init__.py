"""Indexes derived from the tables: words, vectors, neighbours."""
